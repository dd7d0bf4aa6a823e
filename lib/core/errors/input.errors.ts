import { ToolsError } from './tools.error.js';

/** One field of the request that was refused, and why. */
export interface FieldError {
  field: string;
  message: string;
}

/** 400: a field is missing, of the wrong type, out of range or unknown. */
export class InvalidRequestError extends ToolsError {
  constructor(fields: FieldError[]) {
    super(
      'invalid_request',
      fields.map((f) => f.message),
      { details: fields },
    );
  }
}

/** 400: `content_id` is not something that the content source can read. The message names what is accepted. */
export class InvalidContentIdError extends ToolsError {
  constructor(accepted: string) {
    const message = `content_id must be ${accepted}`;
    super('invalid_content_id', [message], { details: [{ field: 'content_id', message }] });
  }
}
