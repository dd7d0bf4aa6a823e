/** One cue as a caption file has it, before cleaning. */
export interface Cue {
  /** Milliseconds. */
  startMs: number;
  /** Milliseconds; undefined where the file gives no duration. */
  endMs?: number;
  /** Raw text with its line breaks, entities and tags. */
  text: string;
  /**
   * When the last word starts, ms, where the file times words (automatic captions do). The display of such a cue goes on
   * through the pause after it, so this says where the speech ends.
   */
  lastWordMs?: number;
}

/** A parser yields `undefined` now and then where it has worked for a while without a cue, so that its caller can give way. */
export type Cues = Generator<Cue | undefined, void, undefined>;
