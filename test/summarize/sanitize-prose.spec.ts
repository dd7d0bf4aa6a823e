import { addressesOf } from '../../lib/text/sanitize-output.js';
import { beforeLoop, sanitizeProse } from '../../lib/summarize/sanitize-prose.js';

describe('plainText', () => {
  const plain = (text: string): string => sanitizeProse(text, addressesOf(['See good.example/y.']));

  it('takes out marks of type, time marks and addresses that the source has not', () => {
    const text =
      '# Title\n> **Bold** `code` [12:34] *one* __two words__ [3] a\u202eb www.bad.com/x good.example/y stay.';
    expect(plain(text)).toBe('Title\nBold code one two words ab good.example/y stay.');
  });

  it('takes times out with the blank before them, and leaves years, hours and counts', () => {
    expect(
      plain(
        '[0] They met [12:34] in town [754].\n\n[60] Later [186–248] it rained 【61】 until (1999), at 9 (12:05) [sic].',
      ),
    ).toBe('They met in town.\n\nLater it rained until (1999), at 9 (12:05) [sic].');
  });

  it.each([
    'It uses Node.js, e.g. for I/O and/or TCP/IP at 2.5/10.',
    'In v1.2.3 (1999) the file main.py was 3:1 faster than a.out.',
    '2 * 3 * 4 and snake_case_name and __init__ stay.',
    'It is open on weekdays (from 9:30), and the tour starts in the yard (at 14:30).',
    'One paragraph.\n\nAnother.\n- An item.',
  ])('leaves “%s” as it is', (text) => {
    expect(plain(text)).toBe(text);
  });
});

describe('beforeLoop', () => {
  it.each([
    [
      'It was a court court court court court court court court court court court court court.',
      'It was a court',
    ],
    ['It rains. And so on and so on and so on and so on and so on and so on', 'It rains. And so on'],
    ['It was very, very, very, very good.', 'It was very, very, very, very good.'],
    ['No no no no, said the child. Then it slept.', 'No no no no, said the child. Then it slept.'],
  ])('ends “%s” where it begins to repeat itself', (text, kept) => {
    expect(beforeLoop(text)).toBe(kept);
  });
});
