import fc from 'fast-check';
import { LANGUAGES } from '../../../lib/text/languages.js';
import { type ExtractiveSegment, summarizeExtractive } from '../../../lib/embedded/summary/index.js';
import { asCaptions } from './content-of.js';
import { TALKS } from './talks.js';

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** True when the words of a sentence occur in the source in this order, with at most a few words left out between two. */
function isTakenFrom(sentence: string, source: readonly string[]): boolean {
  const wanted = words(sentence).map(bare).filter(Boolean);
  const reach = 8;
  return source.some((word, at) => {
    if (word !== wanted[0]) return false;
    let i = at;
    for (const next of wanted.slice(1)) {
      const found = source.indexOf(next, i + 1);
      if (found < 0 || found - i > reach) return false;
      i = found;
    }
    return true;
  });
}

describe('summarizeExtractive', () => {
  it.each(LANGUAGES)('summarizes a talk in %s, as written and as captions', async (language) => {
    const talk = TALKS[language];
    const source = words(talk).map(bare).filter(Boolean);
    const cues = asCaptions(talk).map((text, i) => ({ text, start: i * 3, duration: 3 }));
    for (const segments of [undefined, cues]) {
      const result = await summarizeExtractive(talk, { language, maxWords: 50, segments });
      const lines = result.summary.split('\n');
      expect(result.language).toBe(language);
      expect(words(result.summary).length).toBeLessThanOrEqual(50);
      expect(words(result.summary).length).toBeGreaterThan(20);
      for (const line of lines) {
        // A caption that was cut shows it.
        expect(line).toMatch(segments ? /^[\p{Lu}\p{N}…].*[.!?…]$/u : /^[\p{Lu}\p{N}].*[.!?]$/u);
        expect(isTakenFrom(line.replace(/^…|…$/g, ''), source)).toBe(true);
      }
    }
  });

  it.each(LANGUAGES)('guesses that a talk is in %s when nobody says so', async (language) => {
    expect((await summarizeExtractive(TALKS[language], { maxWords: 40 })).language).toBe(language);
  });

  it('keeps hesitations, back-channels, doubled words and questions out', async () => {
    const { summary } = await summarizeExtractive(TALKS.en, { language: 'en', maxWords: 120 });
    expect(summary).not.toMatch(/\b(?:um|yeah|right)\b/i);
    expect(summary).not.toContain('the the');
    expect(summary).not.toContain('?');
    expect(summary).toContain('Mr. Baker thinks');
  });

  it('gives the passages in the order of the talk', async () => {
    const { summary } = await summarizeExtractive(TALKS.en, { language: 'en', maxWords: 90 });
    const flat = words(TALKS.en).map(bare).join(' ');
    const places = summary.split('\n').map((line) => flat.indexOf(words(line).slice(-4).map(bare).join(' ')));
    expect(places.length).toBeGreaterThan(2);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('says the same thing once', async () => {
    const talk = `${TALKS.en}\n${TALKS.en}\n${TALKS.en}`;
    const { summary } = await summarizeExtractive(talk, { language: 'en', maxWords: 110 });
    const lines = summary.split('\n');
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('keeps the first sentence of a text, which has nothing before it to point back to', async () => {
    const lines = [
      'This chapter describes the layout of binary packages and of source packages.',
      ...TALKS.en.split('\n'),
    ];
    const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'en', maxWords: 120 });
    expect(summary).toMatch(/^This chapter describes the layout/);
  });

  it.each([
    ['en', 'In bright water that gift covers the energy of the coral and builds the skeleton of the reef.'],
    ['en', 'The American agency measures this for the coral, the algae and the skeleton of the reef.'],
    ['en', 'You send it to the coral, the algae, the sugar and the skeleton of the reef.'],
    ['en', 'One of them covers the energy of the coral and builds the skeleton of the reef.'],
    ['de', 'Die sind für die Koralle, für die Algen und für das Skelett des Riffs der Motor.'],
  ])(
    'shows a sentence that points back only behind the one before it: %s, %s',
    async (language, pointing) => {
      const before =
        language === 'en' ? 'Algae pay the coral with sugar.' : 'Algen geben der Koralle Zucker.';
      const text = [...Array<string>(3).fill(TALKS[language as 'en'].split('\n')[0]!), before, pointing].join(
        '\n',
      );
      const summaryOf = async (maxWords: number): Promise<string> =>
        (await summarizeExtractive(text, { language, maxWords })).summary;
      expect(await summaryOf(words(pointing).length)).not.toContain(pointing);
      expect(await summaryOf(100)).toContain(`${before} ${pointing}`);
    },
  );

  it.each([
    ['en', 'Scientists found that yeast makes the gas of the bread and bacteria make most of its acid.'],
    ['en', 'The yeast that lives in the flour makes the gas of the bread and the bacteria make the acid.'],
    ['de', 'Der Bäcker mischt das Mehl mit dem Wasser und lässt den Teig eine Nacht im Keller ruhen.'],
  ])('shows a sentence that only seems to point back alone: %s, %s', async (language, dense) => {
    const text = ['Bread is old.', 'Brot ist alt.', dense].join('\n');
    const { summary } = await summarizeExtractive(text, { language, maxWords: words(dense).length });
    expect(summary).toBe(dense);
  });

  it('is the same every time', async () => {
    const first = await summarizeExtractive(TALKS.fr, { maxWords: 60 });
    expect(await summarizeExtractive(TALKS.fr, { maxWords: 60 })).toEqual(first);
  });

  it('returns an empty summary for no words, and what there is for few', async () => {
    expect((await summarizeExtractive('')).summary).toBe('');
    expect((await summarizeExtractive(' \n\t … !!! \n')).summary).toBe('');
    expect((await summarizeExtractive('[Music]\n[Applause]')).summary).toBe('');
    expect((await summarizeExtractive('Hello')).summary).toBe('Hello.');
    expect((await summarizeExtractive('Yeah. Um.', { language: 'en' })).summary).toBe('Yeah.');
    expect((await summarizeExtractive('The oven loses heat.', { maxWords: 2 })).summary).toBe('The oven…');
    expect((await summarizeExtractive('the oven is hot', { segments: [] })).summary).toBe('The oven is hot.');
  });

  it('never exceeds its budget, is never empty where something was said, and never throws', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(
        ...Object.values(TALKS).flatMap((talk) => talk.split('\n')),
        '>> [Music]',
        'A: B',
        '"',
        '…',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.integer({ min: 1, max: 200 }),
        fc.option(fc.constantFrom(...LANGUAGES, 'ja', 'xx-YY'), { nil: undefined }),
        async (lines, maxWords, language) => {
          const text = lines.join('\n');
          const { summary } = await summarizeExtractive(text, { maxWords, language });
          expect(words(summary).length).toBeLessThanOrEqual(maxWords);
          if (/[a-z]{3}/i.test(text.replace(/\[[^\]]*\]/g, '')))
            expect(words(summary).length).toBeGreaterThan(0);
        },
      ),
    );
  });

  it.each([10, 4, 1])('cuts a sentence of a script without blanks to %d words', async (maxWords) => {
    const text = '水覆盖了地球表面的百分之七十以上所以我们必须保护水资源和环境以及所有的生物和植物。';
    const { summary } = await summarizeExtractive(text, { language: 'zh', maxWords });
    expect(summary).toBe(`${text.slice(0, 2 * maxWords)}…`);
  });

  it('has its usual length for a budget that is no number', async () => {
    const options = { language: 'en' };
    expect(await summarizeExtractive(TALKS.en, { ...options, maxWords: NaN })).toEqual(
      await summarizeExtractive(TALKS.en, options),
    );
  });

  it('has no word lists for a language named as a property of every object', async () => {
    const language = 'constructor';
    expect(await summarizeExtractive('The oven is hot.', { language })).toEqual({
      summary: 'The oven is hot.',
      language: undefined,
    });
  });

  it('does not take half a sentence from the end of a text that breaks off', async () => {
    const half = 'In the end the skeleton of the reef, the coral and the algae with their sugar and their';
    const { summary } = await summarizeExtractive(`${TALKS.en} ${half}`, { language: 'en', maxWords: 120 });
    expect(summary).not.toContain('In the end the skeleton');
    const whole = await summarizeExtractive(`${TALKS.en} ${half} energy.`, { language: 'en', maxWords: 120 });
    expect(whole.summary).toContain('In the end the skeleton');
  });

  it('takes nothing, and only nothing, for a budget of nothing', async () => {
    expect((await summarizeExtractive(TALKS.en, { maxWords: 0 })).summary).toBe('');
  });

  it('stops when the signal fires, with its reason', async () => {
    const signal = AbortSignal.abort(new Error('gone'));
    const long = `${TALKS.en}\n`.repeat(2000);
    await expect(summarizeExtractive(long, { signal })).rejects.toThrow('gone');
  });
});

/** Processor time of a piece of work in ms: how busy the machine is does not matter. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

describe('summarizeExtractive under load', () => {
  it('takes little longer for captions of one word a cue', async () => {
    const said = asCaptions(`${TALKS.en}\n`.repeat(60)).join(' ').split(' ');
    const timed = async (size: number): Promise<number> => {
      const segments: ExtractiveSegment[] = [];
      for (let i = 0; i < said.length; i += size)
        segments.push({ text: said.slice(i, i + size).join(' '), start: i * 0.4, duration: size * 0.4 });
      return processorMs(() => summarizeExtractive('', { language: 'en', segments }));
    };
    // The least of three: code that is new, and garbage of others, cost time too.
    const least = async (size: number): Promise<number> =>
      Math.min(await timed(size), await timed(size), await timed(size));
    await timed(8);
    expect(await least(1)).toBeLessThan(6 * (await least(8)));
  });

  it('gives way to other work while it reads 100,000 words', async () => {
    const text = `${TALKS.en}\n`.repeat(620);
    let turns = 0;
    let done = false;
    const count = (): void => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    const ms = await processorMs(() => summarizeExtractive(text, { language: 'en' }));
    done = true;
    // It gives way every 10 ms of work; the bound leaves room for what cannot be divided.
    expect(ms / turns).toBeLessThan(50);
  });
});
