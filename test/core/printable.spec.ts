import { printable, printableStack } from '../../lib/core/printable.js';

const HOSTILE = 'down\u001b[2J\n[Nest] 1  - ERROR forged\r\n    at forged (x.js:1:1)\u2028\u202e';
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}]/u;

describe('printable', () => {
  it('shows as its code point what would break or colour a line', () => {
    expect(printable('a\u001b[2J\nb')).toBe('a\\u{1b}[2J\\u{a}b');
    expect(printable(HOSTILE)).not.toMatch(UNPRINTABLE);
  });
});

describe('printableStack', () => {
  it('keeps the message on one line, whatever is in it, and the frames below it', () => {
    const lines = printableStack(new Error(HOSTILE))!.split('\n');
    expect(lines[0]).toContain('Error: down');
    expect(lines[0]).toContain('forged');
    expect(lines.slice(1).every((line) => /^ {4}at /.test(line))).toBe(true);
    expect(lines.some((line) => UNPRINTABLE.test(line))).toBe(false);
    expect(lines.some((line) => line.includes('printable.spec'))).toBe(true);
  });

  it('is undefined for a value that is not an error', () => {
    expect(printableStack('text')).toBeUndefined();
    expect(printableStack(undefined)).toBeUndefined();
  });
});
