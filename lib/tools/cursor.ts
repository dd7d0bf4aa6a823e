import { hash } from 'node:crypto';
import { check, documented } from '../core/schema.js';
import { refused } from './request-fields.js';

/** A position in base 36 and a fingerprint: `2k8.x7Qm_w1A`. */
const FORM = /^[0-9a-z]{1,8}\.[\w-]{8}$/;

/** The field `cursor` of a request. */
export const CURSOR = documented(
  { maxLength: 40, example: '2k8.x7Qm_w1A' },
  check('the next_cursor of an answer', (value) => typeof value === 'string' && FORM.test(value)),
);

/** Cursors of something that is returned in parts: where the next part begins. @param version differs where the whole does */
export class Cursors {
  private readonly fingerprint: string;

  constructor(version: string) {
    this.fingerprint = hash('sha256', version, 'base64url').slice(0, 8);
  }

  /** @param position where the next part begins; undefined after the last one */
  next(position: number | undefined): string | undefined {
    return position === undefined ? undefined : `${position.toString(36)}.${this.fingerprint}`;
  }

  /** The position of a cursor; 0 without one. @throws InvalidRequestError for a cursor of something else */
  positionOf(cursor: string | undefined): number {
    if (cursor === undefined) return 0;
    const [position, fingerprint] = cursor.split('.');
    if (fingerprint !== this.fingerprint)
      throw refused(
        'cursor',
        'must be next_cursor of an answer to the same request; the content may have changed since: begin again without it',
      );
    return parseInt(position!, 36);
  }
}
