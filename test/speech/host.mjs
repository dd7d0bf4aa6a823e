/**
 * A host in a process of its own, for what only a process can show: its memory, and its end by a signal. Summarizes the recording at AUDIO_URL
 * through the server at SPEECH_URL and prints JSON lines: `{ idle }` and `{ peak, words }` in bytes, `{ error }`. With HOOKS=nest it listens to
 * signals by `enableShutdownHooks`, with HOOKS=signal-exit by a copy of that package which is not ours (it is loaded as a module).
 */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { speechTranscripts, SummarizerService, ToolsModule, ytDlpAudio } from '../../dist/index.js';

const { AUDIO_URL, SPEECH_URL, HOOKS } = process.env;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const tools = ToolsModule.forRoot({
  apiKeys: ['k'],
  controllers: false,
  search: false,
  summarize: { deadlineMs: 1_200_000 },
  shutdown: { graceMs: 0 },
  youtube: {
    transcripts: [
      speechTranscripts({
        model: { baseURL: SPEECH_URL, model: 'fake' },
        audio: ytDlpAudio({ url: () => AUDIO_URL }),
        maxMinutes: 200,
        maxJobMinutes: 200,
      }),
    ],
  },
});
const app = await NestFactory.createApplicationContext(
  { module: class Host {}, imports: [tools] },
  { logger: false },
);
if (HOOKS === 'nest') app.enableShutdownHooks();
if (HOOKS === 'signal-exit') (await import('signal-exit')).onExit(() => undefined);

globalThis.gc?.();
const idle = process.memoryUsage().rss;
say({ idle });
let peak = 0;
const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
try {
  const { summary } = await app.get(SummarizerService).summarize({ contentId: 'noCaptions1' });
  say({ idle, peak, words: summary.split(' ').length });
} catch (error) {
  say({ error: error.message, peak });
}
clearInterval(timer);
await app.close();
