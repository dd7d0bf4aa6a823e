import { ToolsError, type ToolsErrorOptions } from './tools.error.js';

/** Why a video that exists cannot be read. */
export const UNAVAILABLE_REASONS = [
  'private',
  'age_restricted',
  'members_only',
  'region_blocked',
  'live',
  'upcoming',
] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** One try of one provider, as `details.attempts` lists it: no addresses, no tokens. */
export interface Attempt {
  provider: string;
  client?: string;
  ms: number;
  outcome: string;
}

type WithAttempts = ToolsErrorOptions & { attempts?: readonly Attempt[] };

const detailsOf = (
  own: Record<string, unknown>,
  options: WithAttempts,
): Record<string, unknown> | undefined => {
  const details = {
    ...(options.details as Record<string, unknown> | undefined),
    ...own,
    ...(options.attempts?.length ? { attempts: options.attempts } : {}),
  };
  return Object.keys(details).length > 0 ? details : undefined;
};

/** 404: no such video, or it was removed. */
export class ContentNotFoundError extends ToolsError {
  constructor(message: string, options: WithAttempts = {}) {
    super('content_not_found', message, { ...options, details: detailsOf({}, options) });
  }
}

/** 422: the video exists and cannot be read; `details.reason` says why. */
export class ContentUnavailableError extends ToolsError {
  constructor(
    readonly reason: UnavailableReason,
    message: string,
    options: WithAttempts = {},
  ) {
    super('content_unavailable', message, { ...options, details: detailsOf({ reason }, options) });
  }
}

/** 422: the video can be read and has no captions in any language. */
export class TranscriptUnavailableError extends ToolsError {
  constructor(message: string, options: WithAttempts = {}) {
    super('transcript_unavailable', message, { ...options, details: detailsOf({}, options) });
  }
}

/** 422: an explicit `simple` that does not fit the model; the numbers are in the message. */
export class ContentTooLongError extends ToolsError {
  constructor(message: string, options: ToolsErrorOptions = {}) {
    super('content_too_long', message, options);
  }
}
