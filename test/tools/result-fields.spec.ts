import { AskVideoDataDto } from '../../lib/tools/dto/ask-video.dto.js';
import { TranscriptDataDto } from '../../lib/tools/dto/get-transcript.dto.js';
import { wireOf } from '../../lib/tools/result-fields.js';

const CONTENT = {
  id: 'a',
  url: 'https://v.example/a',
  durationMs: 61_700,
  language: 'en',
  captions: 'manual',
};

describe('the wire form of a result', () => {
  it('has the fields of the DTO class, in its units, and no others', () => {
    const result = {
      content: { ...CONTENT, provider: 'memory', title: undefined },
      chapters: [{ title: 'Reefs', startMs: 1500, endMs: 3000 }],
      truncated: false,
      cached: true,
      warnings: [],
      usage: { modelCalls: 1, inputTokens: 2, outputTokens: 3, cachedInputTokens: 1 },
    };
    expect(wireOf(TranscriptDataDto, result)).toStrictEqual({
      content: {
        id: 'a',
        url: 'https://v.example/a',
        duration_seconds: 62,
        language: 'en',
        captions: 'manual',
      },
      chapters: [{ title: 'Reefs', start_seconds: 1.5, end_seconds: 3 }],
      truncated: false,
      cached: true,
      usage: { model_calls: 1, input_tokens: 2, output_tokens: 3 },
    });
  });

  it('has empty lists where a plain object stands in place of the service', () => {
    expect(wireOf(AskVideoDataDto, { question: 'Why?', answer: 'So.', unsupported: [] })).toStrictEqual({
      question: 'Why?',
      llm: { answer: 'So.', citations: [] },
    });
  });
});
