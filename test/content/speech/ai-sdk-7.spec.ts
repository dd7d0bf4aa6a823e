import { jest } from '@jest/globals';
import { createOpenAI as createOpenAI3 } from '@ai-sdk/openai';
import * as ai7 from 'ai-7';
import { createOpenAI as createOpenAI4 } from 'ai-sdk-openai-4';
import { withContext } from '../../../lib/core/context.js';
import {
  startFakeTranscriptions,
  type FakeTranscriptions,
} from '../../support/fake-speech/fake-transcriptions.js';
import { FAKE_FFMPEG, FakeAudio, spoken } from '../../support/fake-speech/recordings.js';

// A host that has installed version 7. Version 6 is what the other specs have.
jest.unstable_mockModule('ai', () => ai7);
const importSpeech = () => import('../../../lib/content/speech/speech-transcripts.js');

const TALK = spoken('Corals are animals. They build a reef out of lime. It grows for centuries.');

describe('speech through version 7 of the AI SDK', () => {
  let server: FakeTranscriptions;
  beforeEach(async () => {
    server = await startFakeTranscriptions(TALK.words);
  });
  afterEach(() => server.close());

  it('is tested with a version that has `transcribe`', () => {
    expect(ai7).toHaveProperty('transcribe');
  });

  it.each([
    ['3', createOpenAI3],
    ['4', createOpenAI4],
  ])('comes with its times from a model of @ai-sdk/openai %s', async (_version, createOpenAI) => {
    const { speechTranscripts } = await importSpeech();
    const speech = speechTranscripts({
      model: createOpenAI({ baseURL: server.baseURL, apiKey: 'sk-test' }).transcription('whisper-1'),
      audio: new FakeAudio(TALK),
      ffmpeg: FAKE_FFMPEG,
    });
    const { segments, warnings } = await withContext(60_000, {}, (context) => speech.recognize('x', context));
    expect(segments.map(({ startMs, text }) => [startMs, text])).toEqual([
      [0, 'Corals are animals.'],
      [1700, 'They build a reef out of lime.'],
      [5000, 'It grows for centuries.'],
    ]);
    expect(warnings!.map(({ code }) => code)).toEqual(['speech_recognized']);
    expect(server.requests).toHaveLength(1);
  });
});
