import type { Chapter, Content } from '../../lib/content/content-source.js';
import { withContext, type ProgressEvent } from '../../lib/core/context.js';
import type { Verifier } from '../../lib/grounding/verifier.js';
import type { ModelOptions } from '../../lib/model/options.js';
import { ModelSummarizer } from '../../lib/summarize/model-summarizer.js';
import type { Summary, SummaryLength } from '../../lib/summarize/summarizer.js';
import { clientOf } from '../support/fake-llm/fake-model.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { sentenceOf, talk } from '../support/fake-llm/talk.js';
import { written } from '../support/fake-llm/written.js';

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
    options: ModelOptions = {},
    verifier?: 'model' | Verifier,
  ): Promise<Summary> => {
    const summarizer = new ModelSummarizer({
      model: clientOf(fake, options),
      ...(verifier ? { verifier } : {}),
    });
    return withContext(60_000, { onProgress }, (context) =>
      summarizer.summarize(content, { method: 'simple', outputLanguage: 'en', length }, context),
    );
  };

  it.each([
    [4, 'short', 'about 12 words', 'up to 1,'],
    [4, 'long', 'about 12 words', 'up to 1,'],
    [400, 'short', 'about 100 words', 'up to 5,'],
    [400, 'medium', 'about 180 words', 'up to 8,'],
    [400, 'long', 'about 320 words', 'up to 12,'],
  ] as const)('of %i sentences, %s, is asked for with %s', async (sentences, length, words, points) => {
    await summarize(talk(sentences), length);
    const { prompt } = fake.calls[0]!;
    expect(prompt).toContain(words);
    expect(prompt).toContain(points);
    expect(prompt.includes('sections:')).toBe(sentences > 4);
  });

  const chapters: Chapter[] = [
    { title: 'Gardens', startMs: 0, endMs: 40_000 },
    { title: 'Bridges', startMs: 40_000, endMs: 80_000 },
    { title: 'Canals', startMs: 80_000, endMs: 120_000 },
  ];

  it('has all chapters of the video for its sections, in their order', async () => {
    fake.settings.answer = () =>
      written(
        sentenceOf(0),
        [],
        [
          [40, '', 'The student number 16 was there.'],
          [0, 'Gardens', 'Somebody digs.'],
        ],
      );
    const { sections } = await summarize(talk(30, { chapters }));
    expect(sections).toEqual([
      { ...chapters[0], summary: 'Somebody digs.' },
      { ...chapters[1], summary: 'The student number 16 was there.' },
      { ...chapters[2], summary: '' },
    ]);
    expect(fake.calls[0]!.prompt).toContain('one for each # line');
  });

  it('has free sections at the seconds that the model names, and none over what is left out', async () => {
    fake.settings.answer = () =>
      written(
        sentenceOf(0),
        [],
        [
          [0, 'Beginning', 'The gardener is there.'],
          [101, 'Middle', 'The student comes.'],
          [200, 'Price', 'It cost 98765 dollars.'],
          [300, 'End', 'The engineer leaves.'],
          [99_999, 'Never', 'Not there.'],
        ],
      );
    const { sections, warnings } = await summarize(talk(100));
    expect(sections).toEqual([
      { title: 'Beginning', summary: 'The gardener is there.', startMs: 0, endMs: 101_000 },
      { title: 'Middle', summary: 'The student comes.', startMs: 101_000, endMs: 200_000 },
      { title: 'End', summary: 'The engineer leaves.', startMs: 300_000, endMs: 400_000 },
    ]);
    expect(warnings).toEqual([
      {
        code: 'points_dropped',
        message: expect.stringContaining('“Price: It cost 98765 dollars.”') as string,
      },
    ]);
  });

  it('keeps its paragraphs and lists, and marks an item that does not hold', async () => {
    fake.settings.answer = () =>
      written(
        `${sentenceOf(0)} ${sentenceOf(1)}\n\n${sentenceOf(2)}\n- ${sentenceOf(3)}\n- It cost 98765 dollars.`,
      );
    const { text, unsupported } = await summarize(talk(100));
    expect(text).toBe(
      `${sentenceOf(0)} ${sentenceOf(1)}\n\n${sentenceOf(2)}\n- ${sentenceOf(3)}\n- It cost 98765 dollars. [?]`,
    );
    expect(unsupported).toEqual([{ text: '- It cost 98765 dollars.', reason: 'value' }]);
  });

  describe('whose reply is cut off', () => {
    const cut = () => ({
      text: written(`${sentenceOf(0)} ${sentenceOf(1)} The engineer`).split('","key_points')[0]!,
      finish: 'length',
    });

    it('is asked for once more, with more tokens', async () => {
      fake.settings.answer = (_prompt, _settings, { index }) =>
        index === 0 ? cut() : written(sentenceOf(2), [[8, sentenceOf(2)]]);
      const { text, warnings } = await summarize(talk(100));
      expect(text).toBe(sentenceOf(2));
      expect(warnings).toEqual([]);
      expect(fake.calls[1]!.prompt).toContain('Be brief');
      expect(fake.calls[1]!.body['max_tokens']).toBe(2 * (fake.calls[0]!.body['max_tokens'] as number));
    });

    it('is what there is of it where it is cut off again', async () => {
      fake.settings.answer = cut;
      const { text, warnings } = await summarize(talk(100));
      expect(text).toBe(`${sentenceOf(0)} ${sentenceOf(1)}`);
      expect(warnings.map(({ code }) => code)).toEqual(['summary_truncated']);
      expect(fake.calls).toHaveLength(2);
    });
  });

  describe('with statements that nobody said', () => {
    const WRONG = 'It cost 98765 dollars.';
    const both = `${sentenceOf(0)} ${WRONG} ${sentenceOf(1)}`;

    it('is repaired by the model once', async () => {
      fake.settings.answer = (_prompt, _settings, { index }) =>
        index === 0 ? written(both) : written(`${sentenceOf(0)} ${sentenceOf(1)}`);
      const events: ProgressEvent[] = [];
      const { text, unsupported, grounding, usage } = await summarize(talk(100), 'medium', (event) =>
        events.push(event),
      );
      expect(text).toBe(`${sentenceOf(0)} ${sentenceOf(1)}`);
      expect(unsupported).toBeUndefined();
      expect(grounding).toBe(1);
      expect(usage!.stages).toMatchObject({ write: { modelCalls: 1 }, repair: { modelCalls: 1 } });
      const asked = fake.calls[1]!.prompt;
      expect(asked).toContain(`“${WRONG}”: no source states`);
      expect(asked).not.toContain(`“${sentenceOf(1)}”`);
      const again = events.map(({ stage }) => stage).lastIndexOf('rewrite');
      expect(again).toBeGreaterThan(0);
      expect(
        events
          .slice(again)
          .map((event) => event.text ?? '')
          .join(''),
      ).toBe(text);
    });

    it.each([
      ['repeats them', both],
      ['writes something else', 'No.'],
      [
        'writes in another language',
        'Der Gärtner hat die Brücke vermessen, und es ist nicht für die Stadt, sondern für uns.',
      ],
    ])('marks them where the model %s', async (_what, repaired) => {
      fake.settings.answer = (_prompt, _settings, { index }) => written(index === 0 ? both : repaired);
      const { text, unsupported, grounding, warnings } = await summarize(talk(100));
      expect(text).toBe(`${sentenceOf(0)} ${WRONG} [?] ${sentenceOf(1)}`);
      expect(unsupported).toEqual([{ text: WRONG, reason: 'value' }]);
      expect(grounding).toBe(0.67);
      expect(warnings.map(({ code }) => code)).toEqual(['unsupported_statements']);
    });

    it('marks them where the repair fails', async () => {
      fake.settings.answer = () => written(both);
      fake.settings.fault = (n) => (n > 0 ? { name: 'x', status: 400, error: { message: 'no' } } : undefined);
      expect((await summarize(talk(100))).text).toContain(`${WRONG} [?]`);
    });

    it('asks for no repair where the host turned it off', async () => {
      fake.settings.answer = () => written(both);
      const { text } = await summarize(talk(100), 'medium', undefined, { repair: false });
      expect(text).toContain(`${WRONG} [?]`);
      expect(fake.calls).toHaveLength(1);
    });
  });

  describe('that gets a second look', () => {
    const both = `${sentenceOf(0)} ${sentenceOf(60)}`;

    it('has marked what the model finds unsupported in the words around it', async () => {
      fake.settings.answer = (_prompt, _settings, { system }) =>
        system.startsWith('You check statements')
          ? JSON.stringify({ verdicts: ['supported', 'contradicted'] })
          : written(both);
      const { text, unsupported, usage } = await summarize(talk(100), 'medium', undefined, {}, 'model');
      expect(text).toBe(`${both} [?]`);
      expect(unsupported).toEqual([{ text: sentenceOf(60), reason: 'contradicted' }]);
      expect(usage!.stages).toMatchObject({ write: {}, verify: { modelCalls: 1 }, repair: {} });
      const { prompt } = fake.calls.find(({ system }) => system.startsWith('You check statements'))!;
      for (const said of [0, 1, 59, 60, 61]) expect(prompt).toContain(sentenceOf(said));
      expect(prompt).not.toContain(sentenceOf(99));
    });

    it('stays as it is where the verifier fails, with a warning', async () => {
      fake.settings.answer = () => written(both);
      const verify = () => Promise.reject(new Error('down'));
      const { text, warnings } = await summarize(talk(100), 'medium', undefined, {}, { name: 'own', verify });
      expect(text).toBe(both);
      expect(warnings.map(({ code }) => code)).toEqual(['summary_not_verified']);
    });
  });

  it('is the text of a reply that is no object, without key points', async () => {
    const prose = `${sentenceOf(0)} ${sentenceOf(1)}\n\n- [8] ${sentenceOf(2)}`;
    fake.settings.answer = () => prose;
    const { text, keyPoints, warnings } = await summarize(talk(100));
    expect(text).toBe(`${sentenceOf(0)} ${sentenceOf(1)}\n\n- ${sentenceOf(2)}`);
    expect(keyPoints).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['reply_unstructured']);
    expect(fake.calls).toHaveLength(1);
  });

  it.each([
    ['a refusal', written("I'm sorry, but I can't summarize this video."), 'The video is public'],
    ['nothing', written(''), 'The video is public'],
    [
      'a text on something else',
      written('Bananas contain potassium, magnesium and several important vitamins.'),
      'The video is public',
    ],
    [
      'a text in another script',
      written('庭師は橋を測り、近所の人々はそれを新聞で読みました。町にとって大切なことです。'),
      'every sentence must be English',
    ],
  ])('is asked for once more for %s', async (_what, first, words) => {
    fake.settings.answer = (_prompt, _settings, { index }) =>
      index === 0 ? first : written(sentenceOf(0), [[0, sentenceOf(0), sentenceOf(0)]]);
    const { text } = await summarize(talk(100));
    expect(text).toBe(sentenceOf(0));
    expect(fake.calls).toHaveLength(2);
    expect(fake.calls[1]!.prompt).toContain(words);
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
});
