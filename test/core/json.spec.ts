import fc from 'fast-check';
import { parseJson } from '../../lib/core/json.js';

describe('parseJson', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => expect(parseJson(text)).toEqual(JSON.parse(text))),
    );
  });

  it('throws where JSON.parse throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}",\\:1a ') }), (text) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          expect(() => parseJson(text)).toThrow(SyntaxError);
          return;
        }
        expect(parseJson(text)).toEqual(parsed);
      }),
    );
  });

  it.each(['[', '{"a":', '[{"a":'])('refuses deep nesting: many `%s`', (opening) => {
    expect(() => parseJson(opening.repeat(1_000_000))).toThrow('nested deeper than 512');
  });

  it('takes brackets in strings for text, also behind quotation marks and backslashes', () => {
    for (const text of ['['.repeat(1000), '"['.repeat(1000), '\\"['.repeat(1000), '\\'.repeat(1000), '\\\\"'])
      expect(parseJson(JSON.stringify([text]))).toEqual([text]);
  });
});
