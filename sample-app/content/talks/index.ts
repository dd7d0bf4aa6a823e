import type { DemoTalk } from './demo-talk.js';
import { sampleTalk1 } from './sample-talk-1.js';
import { sampleTalk2 } from './sample-talk-2.js';
import { sampleTalk3 } from './sample-talk-3.js';
import { sampleTalk4 } from './sample-talk-4.js';
import { sampleTalk5 } from './sample-talk-5.js';
import { sampleTalk6 } from './sample-talk-6.js';
import { sampleTalk7 } from './sample-talk-7.js';

export type { DemoTalk, DemoTalkChapter, DemoTalkSegment } from './demo-talk.js';

/** All demo talks by their ID, from `sampleTalk1` to `sampleTalk7`. */
export const DEMO_TALKS: Record<string, DemoTalk> = {
  sampleTalk1,
  sampleTalk2,
  sampleTalk3,
  sampleTalk4,
  sampleTalk5,
  sampleTalk6,
  sampleTalk7,
};
