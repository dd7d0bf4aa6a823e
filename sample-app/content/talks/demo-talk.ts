/** A stretch of a demo talk: one sentence where the captions are manual, a cue of a few words where they are automatic. */
export interface DemoTalkSegment {
  /** Milliseconds from the start of the talk; segments ascend and do not overlap. */
  startMs: number;
  /** Milliseconds; always after `startMs`. */
  endMs: number;
  /** What is said, or a sound in brackets such as `[Music]` in automatic captions. */
  text: string;
}

/** A named part of a demo talk. */
export interface DemoTalkChapter {
  title: string;
  /** Milliseconds; the first chapter starts at 0, each other one at the start of a segment. */
  startMs: number;
  /** Milliseconds; the start of the next chapter or the end of the talk. */
  endMs: number;
}

/**
 * A talk that stands in for a video and its transcript, so that the sample app works with no network. The texts were
 * written for this project; their times follow from the length of each sentence at about 150 words a minute.
 */
export interface DemoTalk {
  /** Eleven characters in the shape of a YouTube video ID. */
  id: string;
  title: string;
  channel: string;
  /** In the language of the talk; says that it was written for this project. */
  description: string;
  language: 'en' | 'es' | 'de' | 'pt';
  /** `automatic` imitates recognised speech: lower case, no punctuation, cues cut without regard to sentences. */
  captions: 'manual' | 'automatic';
  durationMs: number;
  /** In order of time, without gaps; empty where the talk has none. */
  chapters: DemoTalkChapter[];
  segments: DemoTalkSegment[];
}
