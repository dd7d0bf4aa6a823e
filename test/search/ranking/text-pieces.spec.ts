import * as fc from 'fast-check';
import { ANSWER_PASSAGE, passageSpans } from '../../../lib/search/ranking/passages.js';
import { sentencesOf } from '../../../lib/search/ranking/sentences.js';

describe('sentencesOf', () => {
  it('does not end at abbreviations, initials, decimals and German dates', () => {
    expect(
      sentencesOf('Dr. Smith met J. R. Brown at 3.5 p.m. today. Am 15. August kam er an. It rained!'),
    ).toEqual(['Dr. Smith met J. R. Brown at 3.5 p.m. today.', 'Am 15. August kam er an.', 'It rained!']);
  });

  it('ends behind a word that is an abbreviation elsewhere', () => {
    expect(sentencesOf('The tunnel is 13 km long. It was dug by hand.')).toHaveLength(2);
  });

  it('ends behind the marks of notes', () => {
    expect(sentencesOf('It is 30 m tall.[3][a] It is old[2] and grey.[citation needed] See a[1] b.')).toEqual(
      ['It is 30 m tall.[3][a]', 'It is old[2] and grey.[citation needed]', 'See a[1] b.'],
    );
  });

  it('ends at line ends, before quotes and at East Asian full stops', () => {
    expect(sentencesOf('Title\nHe came. "Who?" asked she. 漢字。次')).toEqual([
      'Title',
      'He came.',
      '"Who?" asked she.',
      '漢字。',
      '次',
    ]);
  });
});

describe('passageSpans', () => {
  it('covers every word of a text, with passages of bounded length', () => {
    const sentence = fc
      .array(fc.constantFrom('alpha', 'beta', 'gamma'), { minLength: 1, maxLength: 60 })
      .map((w) => `Begin ${w.join(' ')}.`);
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 60 }), (sentences) => {
        const text = sentences.join(' ');
        const spans = passageSpans(text, ANSWER_PASSAGE);
        expect(spans[0]!.start).toBe(0);
        expect(spans.at(-1)!.end).toBe(text.length);
        spans.forEach((span, i) => {
          if (i > 0) expect(span.start).toBeLessThanOrEqual(spans[i - 1]!.end + 1);
          expect(text.slice(span.start, span.end).split(' ').length).toBeLessThanOrEqual(
            ANSWER_PASSAGE.max + 61 + 40,
          );
        });
      }),
    );
  });

  it.each(['tower-30-m-tall-', '(30)(30)', 'x', '漢字'])(
    'bounds passages of text without a blank as well: %s',
    (piece) => {
      const text = piece.repeat(100_000 / piece.length);
      const spans = passageSpans(text, ANSWER_PASSAGE);
      expect(spans.at(-1)!.end).toBe(text.length);
      expect(Math.max(...spans.map(({ start, end }) => end - start))).toBeLessThan(4_000);
    },
  );
});
