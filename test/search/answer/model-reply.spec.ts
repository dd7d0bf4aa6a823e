import fc from 'fast-check';
import { findQuote } from '../../../lib/search/answer/model-quotes.js';
import { modelProbability } from '../../../lib/search/answer/model-probability.js';
import { readReply } from '../../../lib/search/answer/model-reply.js';
import { writtenSentences } from '../../../lib/search/answer/model-sentences.js';

const REPLY = { answerable: true, answer: 'A "b" {c}. [1]', quotes: [{ n: 1, text: 'a b c' }] };
const JSON_TEXT = JSON.stringify(REPLY);

describe('readReply', () => {
  it.each([
    ['as it is', JSON_TEXT],
    ['in a code fence', `Here it is:\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nI hope it helps.`],
    ['after thinking aloud', `<think>{"answer": "perhaps"} or {so}</think>${JSON_TEXT}`],
    ['indented', JSON.stringify(REPLY, null, 2)],
    ['with a comma too many', JSON_TEXT.replace(/\]\}$/, '],}')],
  ])('reads JSON %s', (_, text) => {
    expect(readReply(text)).toEqual(REPLY);
  });

  it('reads verdicts and numbers as words, and line ends inside of strings', () => {
    expect(
      readReply(
        '{"answerable": "No", "answer": "One.\nTwo.", "quotes": [{"source": "[2]", "quote": "x"}, 5]}',
      ),
    ).toEqual({ answerable: false, answer: 'One. Two.', quotes: [{ n: 2, text: 'x' }] });
  });

  it('never throws, and reads back what was written as JSON', () => {
    fc.assert(fc.property(fc.string(), (text) => void readReply(text)));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (answer, answerable) => {
        fc.pre(answer.trim() !== '');
        expect(readReply(`Well: ${JSON.stringify({ answerable, answer, quotes: [] })} Done.`)).toMatchObject({
          answerable,
          answer: answer.trim(),
        });
      }),
    );
  });
});

describe('writtenSentences', () => {
  const none = () => false;

  it.each([
    ['One is here. [1] Two is here. [2]', [[1], [2]]],
    ['One is here [1]. Two is here [2].', [[1], [2]]],
    ['One is here.[1][3] Two is here.[2]', [[1, 3], [2]]],
    [
      'One is here [1, 3]. Two is here [2-4].',
      [
        [1, 3],
        [2, 3, 4],
      ],
    ],
    ['One is here【1】. Two is here [^2].', [[1], [2]]],
    ['- One is here [1]\n- Two is here [2]', [[1], [2]]],
    ['One is here. Two is here. [2]', [[], [2]]],
  ])('tells which marks belong to which sentence: %s', (answer, cited) => {
    const sentences = writtenSentences(answer, none);
    expect(sentences.map((s) => s.cited)).toEqual(cited);
    expect(sentences.map((s) => s.text.replace('.', ''))).toEqual(['One is here', 'Two is here']);
  });

  it('never throws and leaves no address', () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), (text, url) => {
        for (const s of writtenSentences(`${text} ${url} and more.`, none))
          expect(s.text).not.toContain('://');
      }),
    );
  });
});

describe('findQuote', () => {
  it('finds every piece of three words of a text, and gives it back word for word', () => {
    const word = fc.stringMatching(/^[a-zA-ZäöüßéİŁ’“-]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 6, maxLength: 20 }), fc.nat(3), (words, from) => {
        const text = words.join(' \n ');
        const quote = words
          .slice(from, from + 6)
          .join(' ')
          .toUpperCase();
        const found = findQuote(quote, 0, [{ text, url: 'u', title: '', score: 1 }]);
        if (found) expect(text).toContain(found.text);
      }),
    );
    const source = { text: 'It’s “The  Łódź\nboat” of 1902.', url: 'u', title: '', score: 1 };
    expect(findQuote('the łódź boat', 0, [source])!.text).toBe('The  Łódź\nboat');
    expect(findQuote('"It\'s "the łódź boat"', 0, [source])!.text).toBe('It’s “The  Łódź\nboat');
  });
});

describe('modelProbability', () => {
  const signs = {
    evidence: 0.9,
    quoted: 0.9,
    supported: 1,
    verdict: true,
    agreement: false,
    share: 1,
    missing: 0,
  };

  it('is above one half for a sure model over good evidence, and not when the quoted sentence does not answer', () => {
    expect(modelProbability(signs)).toBeGreaterThan(0.8);
    expect(modelProbability({ ...signs, quoted: 0.05, missing: 1 })).toBeLessThan(0.5);
    expect(modelProbability({ ...signs, verdict: false })).toBeLessThan(0.8);
    expect(modelProbability({ ...signs, agreement: true })).toBeGreaterThan(modelProbability(signs));
  });

  it('stays within bounds and never rises when a sign gets worse', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        unit,
        unit,
        unit,
        unit,
        unit,
        fc.boolean(),
        (evidence, quoted, supported, missing, share, agreement) => {
          const all = { evidence, quoted, supported, missing, share, agreement, verdict: true };
          const p = modelProbability(all);
          expect(p >= 0.02 && p <= 0.98).toBe(true);
          const worse = [
            { evidence: evidence / 2 },
            { quoted: quoted / 2 },
            { supported: supported / 2 },
            { missing: (1 + missing) / 2 },
            { share: share / 2 },
            { verdict: false },
            { verdict: undefined },
          ];
          for (const change of worse) expect(modelProbability({ ...all, ...change })).toBeLessThanOrEqual(p);
        },
      ),
    );
  });
});
