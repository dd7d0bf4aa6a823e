import type { FakeVideo, FakeYouTube } from './fake-youtube.mjs';

/** One way in which getting a transcript fails, and what the interface answers. */
export interface FailureRow {
  case: string;
  /** Eleven characters; also a valid `content_id`. */
  id: string;
  video: FakeVideo;
  /** HTTP status and `code` of the error body. */
  status: number;
  code: string;
  /** `details.reason`; undefined where the error has none. */
  reason: string | undefined;
  /** True: the circuit opens, so that the next row needs a provider of its own. */
  blocksAddress?: boolean;
  /** What a message says at least where it tells the truth. */
  tells: RegExp;
}

export const FAILURE_MATRIX: readonly FailureRow[];
export function setUpFailures(fake: FakeYouTube): void;
