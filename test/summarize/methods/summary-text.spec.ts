import type { Chapter, Content } from '../../../lib/content/content-source.js';
import { withContext, type ProgressEvent } from '../../../lib/core/context.js';
import { ModelSummarizer } from '../../../lib/summarize/model-summarizer.js';
import type { Summary, SummaryLength } from '../../../lib/summarize/summarizer.js';
import { clientOf } from '../../support/fake-llm/fake-model.js';
import { startFakeLlm, type FakeLlm } from '../../support/fake-llm/fake-llm.mjs';
import { sentenceOf, talk } from '../../support/fake-llm/talk.js';
import { leadingEvidence } from '../../support/leading-evidence.mjs';

describe('the text of a summary', () => {
  let fake: FakeLlm;
  beforeEach(async () => {
    fake = await startFakeLlm();
  });
  afterEach(() => fake.close());

  const summarize = (
    content: Content,
    length: SummaryLength = 'medium',
    onProgress?: (event: ProgressEvent) => void,
  ): Promise<Summary> => {
    const summarizer = new ModelSummarizer({ model: clientOf(fake), evidence: leadingEvidence });
    return withContext(60_000, { onProgress }, (context) =>
      summarizer.summarize(content, { method: 'simple', outputLanguage: 'en', length }, context),
    );
  };

  it.each([
    [4, 'short', 'about 12 words', 'up to 1 line like'],
    [4, 'long', 'about 12 words', 'up to 1 line like'],
    [400, 'short', 'about 100 words', 'up to 5 lines like'],
    [400, 'medium', 'about 180 words', 'up to 8 lines like'],
    [400, 'long', 'about 320 words', 'up to 12 lines like'],
  ] as const)('of %i sentences, %s, is asked for with %s', async (sentences, length, words, points) => {
    await summarize(talk(sentences), length);
    const { prompt } = fake.calls[0]!;
    expect(prompt).toContain(words);
    expect(prompt).toContain(points);
    expect(prompt.includes('SECTIONS')).toBe(sentences > 4);
  });

  it('has the chapters of the video for its sections', async () => {
    const chapters: Chapter[] = [
      { title: 'Gardens', startMs: 0, endMs: 40_000 },
      { title: 'Bridges', startMs: 40_000, endMs: 80_000 },
    ];
    fake.settings.answer = () =>
      `${sentenceOf(0)}\n\nSECTIONS\n- [40] Somebody builds.\n- [0] Somebody digs.`;
    const { sections } = await summarize(talk(20, { chapters }));
    expect(sections).toEqual([
      { ...chapters[0], summary: 'Somebody digs.' },
      { ...chapters[1], summary: 'Somebody builds.' },
    ]);
    expect(fake.calls[0]!.prompt).toContain('for each # line');
  });

  it('keeps its paragraphs and the lines of a list where a sentence between them goes', async () => {
    fake.settings.answer = () =>
      `${sentenceOf(0)} ${sentenceOf(1)}\n\nIt cost 98765 dollars. ${sentenceOf(2)}\n- ${sentenceOf(3)}\n- ${sentenceOf(0)}`;
    const { text } = await summarize(talk(100));
    expect(text).toBe(`${sentenceOf(0)} ${sentenceOf(1)}\n\n${sentenceOf(2)}\n${sentenceOf(3)}`);
  });

  it('ends with a whole sentence where the answer was cut off', async () => {
    fake.settings.answer = () => ({
      text: `${sentenceOf(0)} ${sentenceOf(1)} The engineer`,
      finish: 'length',
    });
    const { text, warnings } = await summarize(talk(100));
    expect(text).toBe(`${sentenceOf(0)} ${sentenceOf(1)}`);
    expect(warnings.map(({ code }) => code)).toEqual(['summary_truncated']);
  });

  it('is streamed again from its beginning where the connection was cut', async () => {
    fake.settings.fault = (n) => (n === 0 ? 'cut' : undefined);
    const events: ProgressEvent[] = [];
    const { text } = await summarize(talk(100), 'medium', (event) => events.push(event));
    const again = events.map(({ stage }) => stage).lastIndexOf('rewrite');
    expect(again).toBeGreaterThan(0);
    const streamed = events.slice(again).map((event) => event.text ?? '');
    expect(streamed.join('')).toBe(text);
  });

  it.each([
    ['## Points clés', '## Chapitres'],
    ['**Wichtigste Punkte:**', '**Gliederung**'],
    ['1. KEY TAKEAWAYS', '2. TIMELINE'],
    ['=== Puntos clave ===', '=== Secciones ==='],
  ])('ends before a heading such as “%s”', async (points, sections) => {
    fake.settings.answer = () =>
      `${sentenceOf(0)}\n\n${points}\n- [4] ${sentenceOf(1)}\n\n${sections}\n- [0] Start | It begins.\n- [120] Then | It goes on.`;
    const summary = await summarize(talk(100));
    expect(summary.text).toBe(sentenceOf(0));
    expect(summary.keyPoints.map(({ text }) => text)).toEqual([sentenceOf(1)]);
    expect(summary.sections.map(({ title }) => title)).toEqual(['Start', 'Then']);
  });
});
