import * as fc from 'fast-check';
import { detectLanguage } from '../../../lib/search/ranking/detect-language.js';
import { ANSWER_PASSAGE, passageSpans } from '../../../lib/search/ranking/passages.js';
import { plainText } from '../../../lib/search/ranking/plain-text.js';
import { sentencesOf } from '../../../lib/search/ranking/sentences.js';

describe('plainText', () => {
  it('removes what a reader does not see', () => {
    const html =
      '<head><title>t</title></head><p>One <b>b</b>old&nbsp;word.</p><style>p{}</style><!-- hidden --><p>Two\u00ad\u200b.</p>';
    expect(plainText(html)).toBe('One bold word. Two.');
  });

  it('leaves signs alone that are no markup', () => {
    expect(plainText('if a < b and c > d, 3 <5')).toBe('if a < b and c > d, 3 <5');
  });

  it('keeps paragraphs apart', () => {
    expect(plainText('One\nline.\r\n\r\nTwo.')).toBe('One line.\nTwo.');
  });

  it('is idempotent for text without markup and linear in hostile input', () => {
    const text = fc.string({ unit: 'binary' }).map((s) => s.replace(/[<&]/g, ''));
    fc.assert(fc.property(text, (t) => plainText(plainText(t)) === plainText(t)));
    const started = performance.now();
    plainText('<a'.repeat(100_000));
    plainText('<!--'.repeat(100_000));
    plainText('<script>'.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('sentencesOf', () => {
  it('does not end at abbreviations, initials, decimals and German dates', () => {
    expect(
      sentencesOf('Dr. Smith met J. R. Brown at 3.5 p.m. today. Am 15. August kam er an. It rained!'),
    ).toEqual(['Dr. Smith met J. R. Brown at 3.5 p.m. today.', 'Am 15. August kam er an.', 'It rained!']);
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
});

describe('detectLanguage', () => {
  it.each([
    ['en', 'Who was the first woman on the Moon?'],
    ['de', 'Wann wurde der Kölner Dom fertig?'],
    ['fr', 'Pourquoi la tour Eiffel fut-elle conservée ?'],
    ['es', '¿Quién fue el primer arquitecto de la Sagrada Familia?'],
    ['it', 'Quando fu costruita la torre di Pisa?'],
    ['pt', 'Quando foi inaugurada a ponte sobre o Tejo em Lisboa?'],
  ])('knows %s by its function words', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it('does not guess', () => {
    expect(detectLanguage('mitochondria ATP')).toBeUndefined();
    expect(detectLanguage('')).toBeUndefined();
  });
});
