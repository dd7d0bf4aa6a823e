import fc from 'fast-check';
import { SummaryStream } from '../../../../lib/summarize/methods/parse/summary-stream.js';
import type { SentenceChecker } from '../../../../lib/summarize/methods/verify/check-sentences.js';
import { expectLinear } from '../../../support/cpu-time.js';

type Sentences = Pick<SentenceChecker, 'check' | 'begins'>;
const shown = (text: string) => ({ text, invented: false, grounded: undefined, chatter: false });
const ALL: Sentences = { check: shown, begins: () => 'yes' };
const stream = (pieces: Iterable<string>, sentences = ALL, complete = true): string => {
  let text = '';
  const own = new SummaryStream((piece) => (text += piece), sentences, 'en');
  for (const piece of pieces) own.push(piece);
  own.end(complete);
  return text;
};

describe('SummaryStream', () => {
  const ANSWER =
    '# A title\n\nKey people met in town. See them now.\n\nA second part is here. It ends\n\n## Key points\n- [10] First\n';
  const WHOLE = 'Key people met in town. See them now.\n\nA second part is here. It ends';

  it('gives the prose without titles and lists, however it is cut', () => {
    expect(stream([ANSWER])).toBe(WHOLE);
    expect(stream(ANSWER)).toBe(WHOLE);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 5 }), (sizes) => {
        const pieces: string[] = [];
        for (let at = 0, i = 0; at < ANSWER.length; i++) {
          const size = sizes[i % sizes.length]!;
          pieces.push(ANSWER.slice(at, at + size));
          at += size;
        }
        expect(stream(pieces)).toBe(WHOLE);
      }),
    );
  });

  it('passes a sentence on as soon as the next one begins', () => {
    const seen: string[] = [];
    const own = new SummaryStream((piece) => seen.push(piece), ALL, 'en');
    own.push('The first sentence is here. The second');
    expect(seen).toEqual(['The first sentence is here.']);
  });

  it('leaves out what the check refuses, and passes on what it makes of the others', () => {
    const check = (sentence: string) => ({
      ...shown(sentence.toUpperCase()),
      invented: sentence.includes('two'),
    });
    expect(stream(['This is one. This is two. This is three.'], { ...ALL, check })).toBe(
      'THIS IS ONE. THIS IS THREE.',
    );
  });

  it('is silent where the first sentence does not speak of the content', () => {
    expect(stream(['I am sorry. I cannot help.'], { ...ALL, begins: () => 'no' })).toBe('');
  });

  it('holds sentences back until they are known to speak of the content', () => {
    const begins: Sentences['begins'] = (text) => (text.includes('harbour') ? 'yes' : 'wait');
    const pieces = ['This is a talk. ', 'It tells of the harbour. ', 'It is wet.'];
    const seen: string[] = [];
    const own = new SummaryStream((piece) => seen.push(piece), { ...ALL, begins }, 'en');
    own.push(pieces[0]!);
    expect(seen).toEqual([]);
    own.push(`${pieces[1]!}It`);
    expect(seen).toEqual(['This is a talk. It tells of the harbour.']);
    expect(stream(pieces, { ...ALL, begins: () => 'wait' })).toBe('');
  });

  it('is silent about JSON, and about half a sentence at a cut', () => {
    expect(stream('{"summary": "It rains a lot. It is wet."}')).toBe('');
    expect(stream('It rains a lot there. It is wet and', ALL, false)).toBe('It rains a lot there.');
  });

  it('stops after so many words', () => {
    let text = '';
    const own = new SummaryStream((piece) => (text += piece), ALL, 'en', 8);
    own.push('It rains a lot there. It is very wet there now. It is over.');
    expect(text).toBe('It rains a lot there.');
  });

  it('takes time in proportion to the length of what it is given', async () => {
    for (const piece of ['word ', '. ', '[', '. "', 'It rains. ', '\n', '# ', 'A b c d. ']) {
      await expectLinear(60_000, (length) => stream(Array.from({ length }, () => piece)));
    }
  });
});
