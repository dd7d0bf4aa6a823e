import { cleanOutput } from '../../../lib/summarize/methods/clean-output.js';
import { expectLinear } from '../../support/cpu-time.js';

describe('cleanOutput', () => {
  const clean = (text: string, ownAddress = ''): string =>
    cleanOutput(text, {
      hasAddress: (address) => address === ownAddress,
    });

  it('takes out marks, control characters and addresses that the source has not', () => {
    const text =
      '# Title\n**Bold** `code` [12:34] [3] a\u202eb\u0007 www.bad.com/x (https://bad.io) good.example/y keep.';
    expect(clean(text, 'good.example/y')).toBe('Title\nBold code ab good.example/y keep.');
  });

  it.each([
    ['See:https://evil.example/x now.', 'See: now.'],
    ['[a]:https://evil.example/x.png', ''],
    ['A ![picture][a] and ![one](https://evil.example/x.png) here.', 'A picture and one here.'],
    ['A <img src="https://evil.example/x.png"> tag.', 'A tag.'],
    ['A <im<b>g src=x onerror=alert(1)> tag.', 'A tag.'],
    ['An unclosed <img src=https://evil.example/x', 'An unclosed'],
    ['A <script>alert(1)</script> there.', 'A alert(1) there.'],
    ['Go to evil.zip/x or https ://evil.example or http: //evil.example/y!', 'Go to or or!'],
    ['Go to https\u200b://evil.example or ev\u200bil.com.', 'Go to or.'],
    ['Run javascript:alert(1) or mailto:a@evil.example, a@evil.example.', 'Run or,.'],
    ['Full width：evil。example/x and //evil.example/y', 'Full and'],
    ['A [link](https://evil.example/x) and <https://evil.example>.', 'A link and.'],
    ['(see www.evil.example)', ')'],
    ['A \\[link\\]\\(https://evil\\.example/x\\).', 'A link.'],
    ['Go to evil\\.example/x now.', 'Go to now.'],
  ])('lets no foreign address through: %s', (text, cleaned) => {
    const result = clean(text);
    expect(result).not.toMatch(/evil|https?|<|javascript/);
    if (!/Full/.test(text)) expect(result.replace(/\(see ?/, '')).toBe(cleaned);
  });

  it.each([
    'It uses Node.js, e.g. for I/O and/or TCP/IP at 2.5/10.',
    'La vidéo présente une étude : 75 % des gens.',
    'A list where a < b and c > d.',
    'In v1.2.3 (1999) the file main.py was 3:1 faster than a.out.',
    'U.S. and U.K. officials met; 25 km/h was "fast".',
    '2 * 3 * 4 and snake_case_name and __init__ stay.',
    'It is open on weekdays (from 9:30), and the tour starts in the yard (at 14:30).',
    'Das Museum öffnet sonntags (ab 10:00), die Führung beginnt im Hof (bei 14:30).',
    'The pattern \\(\\d+\\)\\. finds a number, and C:\\_temp is a folder.',
    '\\[ x^2 \\] is a formula on a line of its own.',
  ])('leaves “%s” as it is', (text) => {
    expect(clean(text)).toBe(text);
  });

  it('leaves code as it is, whatever the marks around it', () => {
    expect(clean('It rains \\*\\*a lot\\*\\* in \\`code\\`.')).toBe('It rains a lot in code.');
    expect(clean('\\*\\*Patterns\\*\\* such as `\\(\\d+\\)\\.` find numbers.')).toBe(
      'Patterns such as \\(\\d+\\)\\. find numbers.',
    );
  });

  it('takes times of the video out, with the blank before them, and leaves years and counts', () => {
    expect(
      clean('They met [12:34] in town [754]. Later [186–248] it rained 【61】 until (1999), at 9 (12:05).'),
    ).toBe('They met in town. Later it rained until (1999), at 9 (12:05).');
  });

  it.each([
    '[',
    '](',
    '![',
    'http://',
    ')',
    '<',
    '<a ',
    '*',
    '_',
    '`',
    '.',
    'a.',
    '://',
    '@',
    '(1',
    '[1',
    '【',
    'www.',
    '#',
  ])('takes time in proportion to the length of %j repeated', async (sign) => {
    await expectLinear(60_000, (times) => clean(sign.repeat(times)));
    await expectLinear(30_000, (times) => clean(`http://${sign.repeat(times)}`));
    await expectLinear(30_000, (times) => clean(`${sign} `.repeat(times)));
  });
});
