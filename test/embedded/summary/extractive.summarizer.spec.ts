import { TranscriptUnavailableError } from '../../../lib/core/errors.js';
import { withContext, type ProgressEvent } from '../../../lib/core/context.js';
import type { Content } from '../../../lib/content/content-source.js';
import { ExtractiveSummarizer } from '../../../lib/embedded/summary/extractive.summarizer.js';
import type { Summary, SummaryRequest } from '../../../lib/summarize/summarizer.js';
import { asCaptions, contentOf, segmentsOf } from './content-of.js';
import { TALKS, talkWithSubjects } from './talks.js';
import { DEMO_TALKS } from '../../../sample-app/content/talks/index.js';

const summarizer = new ExtractiveSummarizer();
const run = (content: Content, request: Partial<SummaryRequest> = {}): Promise<Summary> =>
  withContext(20_000, {}, (context) =>
    summarizer.summarize(
      content,
      { method: 'auto', outputLanguage: 'en', length: 'medium', ...request },
      context,
    ),
  );
const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}']+/gu, '');

describe('ExtractiveSummarizer', () => {
  it('names itself, and leaves out what it does not measure', async () => {
    const summary = await run(contentOf(TALKS.en.split('\n')));
    expect(summarizer).toMatchObject({ engine: 'extractive', translates: false });
    expect(summary).toMatchObject({
      engine: 'extractive',
      language: 'en',
      warnings: [],
    });
    for (const unmeasured of ['usage', 'coverage', 'grounding'])
      expect(summary).not.toHaveProperty(unmeasured);
  });

  it.each([
    ['short', 100, 3],
    ['medium', 180, 5],
    ['long', 320, 8],
  ] as const)('writes a %s summary of at most %d words and %d points', async (length, most, points) => {
    const { lines } = talkWithSubjects();
    const summary = await run(contentOf(lines), { length });
    expect(words(summary.text).length).toBeLessThanOrEqual(most);
    expect(words(summary.text).length).toBeGreaterThan(most * 0.7);
    expect(summary.keyPoints).toHaveLength(points);
    expect(summary.text.split('\n\n').length).toBeGreaterThan(1);
  });

  it.each(['short', 'medium', 'long'] as const)(
    'begins with a statement on the subject, not with a question and its first wrong answer (%s)',
    async (length) => {
      const { segments, title, description } = DEMO_TALKS.sampleTalk1!;
      const content = { ...contentOf([]), segments, title, description };
      const { text, sections } = await run(content, { length });
      expect(text.split('\n\n')[0]).not.toContain('?');
      expect([text, ...sections.map(({ summary }) => summary)].join('\n')).not.toContain('plainly a stone');
    },
  );

  it('writes captions in paragraphs that were each said in one go', async () => {
    const cues = asCaptions(DEMO_TALKS.sampleTalk1!.segments.map(({ text }) => text).join('\n'));
    const { text } = await run(contentOf(cues, { captions: 'automatic' }));
    const said = ` ${words(cues.join(' ')).map(bare).join(' ')} `;
    const stretches = text.split('\n\n').map((stretch) => ` ${words(stretch).map(bare).join(' ')} `);
    expect(stretches.length).toBeGreaterThan(2);
    for (const stretch of stretches) expect(said).toContain(stretch);
  });

  it('picks simple for a talk and recursive for a very long one, and says why with the numbers', async () => {
    const { lines } = talkWithSubjects();
    const short = await run(contentOf(lines));
    expect(short.method).toBe('simple');
    expect(short.methodReason).toContain(String(words(lines.join(' ')).length.toLocaleString('en-US')));
    const long = await run(contentOf(Array.from({ length: 15 }, () => lines).flat()));
    expect(long.method).toBe('recursive');
    expect(long.methodReason).toContain('12,000');
  });

  it('gives no reason for a method that was asked for', async () => {
    const summary = await run(contentOf(talkWithSubjects().lines), { method: 'recursive' });
    expect(summary.method).toBe('recursive');
    expect(summary).not.toHaveProperty('methodReason');
  });

  it('lets every part of the talk speak when it is recursive', async () => {
    const { lines, borders } = talkWithSubjects();
    const { text } = await run(contentOf(lines), { method: 'recursive' });
    const sentences = text.split(/(?<=\.)\s+/);
    const parts = sentences.map((s) => {
      const line = lines.findIndex((l) => l.toLowerCase().includes(s.toLowerCase().replace(/\.$/, '')));
      return borders.filter((b) => b <= line).length;
    });
    expect(new Set(parts)).toEqual(new Set([1, 2, 3, 4]));
    expect(parts).toEqual([...parts].sort());
  });

  it('says that nobody looked at the picture in multi_modal', async () => {
    const summary = await run(contentOf(['The oven is hot.']), { method: 'multi_modal' });
    expect(summary).toMatchObject({ method: 'multi_modal', engine: 'extractive' });
    expect(summary.warnings).toContainEqual(expect.objectContaining({ code: 'no_vision_model' }));
  });

  it.each([
    ['no segments', []],
    ['an empty line', ['']],
    ['music', ['[Music]', '♪ ♪']],
  ])('refuses a content with %s: nothing is said in it', async (_name, lines) => {
    await expect(run(contentOf(lines))).rejects.toThrow(TranscriptUnavailableError);
  });

  it('leaves out segments that are no speech', async () => {
    const segments = segmentsOf([
      'The applause of the crowd was loud and long.',
      'The oven of the bakery loses heat.',
    ]);
    const content = contentOf([], { segments: segments.map((s, i) => ({ ...s, nonSpeech: i === 0 })) });
    expect((await run(content)).text).toBe('The oven of the bakery loses heat.');
  });

  it('summarizes one word', async () => {
    expect(await run(contentOf(['bread']))).toMatchObject({ text: 'Bread.', sections: [] });
  });

  it('warns if the language is not one of the six, and summarizes anyway', async () => {
    const summary = await run(contentOf(['Kissa istuu ikkunalla ja katsoo pihalle.'], { language: 'fi' }));
    expect(summary).toMatchObject({ language: 'fi', text: 'Kissa istuu ikkunalla ja katsoo pihalle.' });
    expect(summary.warnings).toEqual([expect.objectContaining({ code: 'language_not_supported' })]);
  });

  it('reports its steps', async () => {
    const events: ProgressEvent[] = [];
    await withContext(20_000, { onProgress: (e) => events.push(e) }, (context) =>
      summarizer.summarize(
        contentOf(TALKS.en.split('\n')),
        { method: 'auto', outputLanguage: 'en', length: 'short' },
        context,
      ),
    );
    expect(events.map((e) => e.stage)).toEqual(['read', 'write']);
  });
});

describe('times', () => {
  it.each([
    ['as written', (talk: string) => talk.split('\n')],
    ['as captions', asCaptions],
  ])('puts a key point where its words are said, %s', async (_name, cut) => {
    for (const talk of [TALKS.en, TALKS.fr]) {
      const lines = cut(talk);
      const content = contentOf(lines, { language: talk === TALKS.en ? 'en' : 'fr' });
      const { keyPoints } = await run(content, { length: 'long' });
      expect(keyPoints).not.toEqual([]);
      for (const point of keyPoints) {
        const from = content.segments.findIndex((s) => s.startMs <= point.startMs && point.startMs < s.endMs);
        const said = content.segments
          .slice(from, from + 8)
          .flatMap((s) => words(s.text))
          .map(bare);
        const here = words(content.segments[from]?.text ?? '').map(bare);
        const spoken = words(point.text).map(bare);
        expect(here).toContain(spoken[0]);
        for (const word of spoken) expect(said).toContain(word);
      }
      const starts = keyPoints.map((p) => p.startMs);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
    }
  });

  it('finds a point inside a long segment in proportion to its words', async () => {
    const text = `${'Nothing of note. '.repeat(60)}The bakery decided to repair the oven door this week.`;
    const segments = [{ startMs: 60_000, endMs: 160_000, text }];
    const { keyPoints } = await run(contentOf([], { segments }));
    const point = keyPoints.find((p) => p.text.includes('repair the oven'));
    expect(point?.startMs).toBeGreaterThan(150_000);
    expect(point?.startMs).toBeLessThanOrEqual(160_000);
  });
});

describe('sections', () => {
  it('are the chapters where there are any', async () => {
    const { lines, borders } = talkWithSubjects();
    const segments = segmentsOf(lines);
    const at = (k: number): number => segments[borders[k] ?? 0]?.startMs ?? 0;
    const chapters = ['Oven', 'Bills', 'Bicycles', 'Dough'].map((title, k) => ({
      title,
      startMs: at(k),
      endMs: k < 3 ? at(k + 1) : (segments.at(-1)?.endMs ?? 0),
    }));
    const { sections } = await run(contentOf(lines, { chapters }));
    expect(sections.map(({ title, startMs, endMs }) => ({ title, startMs, endMs }))).toEqual(chapters);
    expect(sections[1]?.summary).toMatch(/invoice|customer|payment|reminder|account/);
    for (const { summary } of sections) expect(summary.split(/(?<=\.)\s/).length).toBeLessThanOrEqual(2);
  });

  it('hold nothing that is said before the first chapter', async () => {
    const { lines, borders } = talkWithSubjects();
    const segments = segmentsOf(lines);
    const chapters = [1, 2].map((k) => ({
      title: `Chapter ${k}`,
      startMs: segments[borders[k]!]!.startMs,
      endMs: segments[borders[k + 1]!]!.startMs,
    }));
    const inChapters = {
      chapters: [{ title: 'Oven', startMs: 0, endMs: chapters[0]!.startMs }, ...chapters],
    };
    const { sections } = await run(contentOf(lines, inChapters));
    expect((await run(contentOf(lines, { chapters }))).sections).toEqual(sections.slice(1));
  });

  it('are none where the content has no chapters', async () => {
    expect((await run(contentOf(talkWithSubjects().lines))).sections).toEqual([]);
  });
});

describe('captions', () => {
  it('end a sentence where somebody else speaks and where there is a long silence', async () => {
    const segments = [
      { startMs: 0, endMs: 3000, text: 'the oven of the bakery loses heat' },
      { startMs: 9000, endMs: 12_000, text: 'customers of the shop wait for bread' },
      { startMs: 12_000, endMs: 15_000, text: '>> the city approves power lines' },
    ];
    const { text } = await run(contentOf([], { segments, captions: 'automatic' }));
    expect(text).toBe(
      'The oven of the bakery loses heat. Customers of the shop wait for bread. The city approves power lines.',
    );
  });
});
