/**
 * Every error code of the interface, with its HTTP status and whether a client does well to send the same
 * request again (`x-should-retry`). Generated SDKs retry 408, 409, 429 and every 5xx unless told otherwise.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, retry: false },
  invalid_content_id: { status: 400, retry: false },
  missing_api_key: { status: 401, retry: false },
  invalid_api_key: { status: 401, retry: false },
  forbidden_tool: { status: 403, retry: false },
  not_found: { status: 404, retry: false },
  content_not_found: { status: 404, retry: false },
  job_not_found: { status: 404, retry: false },
  payload_too_large: { status: 413, retry: false },
  unsupported_media_type: { status: 415, retry: false },
  content_unavailable: { status: 422, retry: false },
  transcript_unavailable: { status: 422, retry: false },
  content_too_long: { status: 422, retry: false },
  rate_limited: { status: 429, retry: true },
  internal_error: { status: 500, retry: false },
  method_unavailable: { status: 501, retry: false },
  not_configured: { status: 501, retry: false },
  upstream_invalid: { status: 502, retry: true },
  upstream_unavailable: { status: 503, retry: true },
  upstream_timeout: { status: 504, retry: true },
} as const;

/** A stable, machine-readable name of what went wrong. */
export type ToolsErrorCode = keyof typeof ERROR_CODES;
