/** One cue of a caption file, before cleaning. */
export interface Cue {
  /** Milliseconds. */
  startMs: number;
  /** Milliseconds; undefined when the file gives no duration. */
  endMs?: number;
  /** Raw text with line breaks, entities and tags. */
  text: string;
  /**
   * Start of the last word, ms, in files that time words (automatic captions do). Such a cue stays on screen during the pause after it, so
   * this tells where the speech ends.
   */
  lastWordMs?: number;
}

/** Cues from a parser. It yields `undefined` from time to time, so that its caller can give way to the event loop. */
export type Cues = Generator<Cue | undefined, void, undefined>;
