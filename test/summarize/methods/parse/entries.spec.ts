import fc from 'fast-check';
import {
  parseEntry,
  splitQuote,
  splitTitle,
  toSecond,
} from '../../../../lib/summarize/methods/parse/entries.js';
import { expectLinear } from '../../../support/cpu-time.js';

describe('toSecond', () => {
  it.each([
    [754, 754],
    ['754', 754],
    ['12:34', 754],
    ['[1:02:03]', 3723],
    ['754s', 754],
    [-1, undefined],
    ['soon', undefined],
    [null, undefined],
    [NaN, undefined],
  ])('reads %j as %j', (value, second) => {
    expect(toSecond(value)).toBe(second);
  });
});

describe('splitQuote', () => {
  it.each([
    ['It rains. "it rains a lot"'],
    ['It rains. (“it rains a lot”)'],
    ['It rains. «it rains a lot».'],
  ])('takes the quotation off %s', (line) => {
    expect(splitQuote(line)).toEqual({ rest: 'It rains.', quote: 'it rains a lot' });
  });
});

describe('parseEntry', () => {
  const POINT = { second: 61, text: 'It rains.', quote: 'it rains a lot' };

  it.each([
    '- [61] It rains. "it rains a lot"',
    '* **[61]** It rains. “it rains a lot”',
    '• [61-124]: It rains. «it rains a lot»',
    '1. [1:01] It rains. ("it rains a lot")',
    '2) (1:01 – 2:04) It rains. — "it rains a lot"',
    '- [00:01:01] It rains. *"it rains a lot"*',
    '- 1:01 - It rains. "it rains a lot"',
    '- 61s: It rains. "it rains a lot"',
    '- [t=61] It rains. "it rains a lot".',
    '- [61s] **It rains.** Quote: "it rains a lot"',
    '- [1:01](https://youtu.be/x?t=61) It rains. "it rains a lot"',
    '【61】It rains. „it rains a lot“',
    '- It rains. "it rains a lot" [61]',
    '- It rains. [61] "it rains a lot"',
    '- It rains. "it rains a lot" (1:01)',
    '- It rains. „it rains a lot” (at 1 min 1 s)',
    '- [0 h 1 minute 1 second] It rains. ‹it rains a lot›',
    '⏱️ 1:01 | It rains. | 💬 「it rains a lot」',
    '| [61] | It rains. | "it rains a lot" |',
    '| 3 | 1:01 | It rains. | "it rains a lot" |',
    '| 1:01 | It rains. | 12 | "it rains a lot" |',
    '| 1 | **61** | It rains. | "it rains a lot" |',
    '| It rains. | "it rains a lot" | 00:01:01 – 00:02:04 |',
    '| [61] | It rains. | 9:30 | "it rains a lot" |',
    '- [61] - [124] It rains. "it rains a lot"',
    '- [61, 124] It rains. "it rains a lot"',
  ])('reads %s', (line) => {
    const entry = parseEntry(line)!;
    expect({ ...entry, text: entry.text.replace(/ \|$/, '') }).toMatchObject(POINT);
  });

  it.each([
    ['In 1999 it rained.', undefined],
    ['- In 1999 it rained.', { text: 'In 1999 it rained.', listed: true }],
    ['- It rained (1999).', { text: 'It rained (1999).', listed: true }],
    ['- 1999 was wet.', { text: '1999 was wet.', listed: true }],
    ['- 12. May was wet.', { text: '12. May was wet.', listed: true }],
    [
      "- It's the dogs' owner who says it rains.",
      { text: "It's the dogs' owner who says it rains.", listed: true },
    ],
    ['| --- | :-: |', undefined],
    ['| # | Time | Key point | Quotation |', undefined],
    ['| Rain falls | It rains. |', { text: 'Rain falls | It rains.', listed: true }],
    ['| Bring boots | "bring boots" |', { text: 'Bring boots', quote: 'bring boots', listed: true }],
    ['| Rain | It rains a lot there. |', { text: 'Rain | It rains a lot there.', listed: true }],
  ])('takes nothing for a time or a quotation in %s', (line, entry) => {
    expect(parseEntry(line)).toEqual(entry);
  });

  it('takes anything, in time that grows with its length', async () => {
    fc.assert(fc.property(fc.string(), (line) => void parseEntry(line)));
    for (const sign of ['[', '(', '"', '**', '| ', '[1', '- ', '1:', '_ ', '“', "'"]) {
      await expectLinear(60_000, (times) => {
        for (let i = 0; i < 50; i++) parseEntry(sign.repeat(times));
      });
    }
  });
});

describe('splitTitle', () => {
  it.each([
    ['Start | All begins.', 'Start', 'All begins.'],
    ['Start: All begins.', 'Start', 'All begins.'],
    ['Start – All begins.', 'Start', 'All begins.'],
    ['Finding a needle: indexes: B-trees find rows.', 'Finding a needle: indexes', 'B-trees find rows.'],
    [
      'Finding a needle: indexes | It names two: trees and hashes.',
      'Finding a needle: indexes',
      'It names two: trees and hashes.',
    ],
    ['Étude : Les abeilles disparaissent.', 'Étude', 'Les abeilles disparaissent.'],
    ['All begins here.', '', 'All begins here.'],
    ['Start', 'Start', ''],
  ])('divides “%s”', (text, title, summary) => {
    expect(splitTitle({ text })).toEqual({ title, summary });
  });

  it('takes the words before a time in brackets for the title', () => {
    expect(splitTitle(parseEntry('- Start (from 1 min 1 s): All begins.')!)).toEqual({
      title: 'Start',
      summary: 'All begins.',
    });
  });

  it('takes the bold text for the title', () => {
    expect(splitTitle(parseEntry('- **[61] The start:** all begins.')!)).toEqual({
      title: 'The start',
      summary: 'all begins.',
    });
    expect(splitTitle(parseEntry('- [61] **The start** All begins.')!)).toEqual({
      title: 'The start',
      summary: 'All begins.',
    });
  });
});
