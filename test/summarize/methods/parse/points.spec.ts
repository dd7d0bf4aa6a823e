import fc from 'fast-check';
import { parsePoints } from '../../../../lib/summarize/methods/parse/written-summary.js';
import { expectLinear } from '../../../support/cpu-time.js';

const POINT = { claim: 'It rains.', second: 754, quote: 'it rains a lot' };

describe('parsePoints', () => {
  it.each([
    ['as asked', '{"points":[{"t":754,"claim":"It rains.","quote":"it rains a lot"}]}'],
    [
      'in a code fence with talk around',
      'Sure!\n```json\n{"points":[{"t":754,"claim":"It rains.","quote":"it rains a lot"}]}\n```\nDone {really}.',
    ],
    ['as a bare list with other names', '[{"time":"12:34","text":"It rains.","quote":"it rains a lot"}]'],
    [
      'cut off in the middle',
      '{"points":[{"t":754,"claim":"It rains.","quote":"it rains a lot"},{"t":800,"claim":"It st',
    ],
    ['as lines', '- [754] It rains. "it rains a lot"\n- nothing'],
    ['with an escaped quotation', '- [754] It rains. \\"it rains a lot\\"'],
    ['by other names', '[{"moment":"12:34","insight":"It rains.","supporting_text":"it rains a lot"}]'],
    ['by their times', '{"12:34":{"claim":"It rains.","quote":"it rains a lot"},"13:00":{"claim":""}}'],
    [
      'below headings',
      '## Section 1\n**Rain**\n- [754] It rains.\n  "it rains a lot"\n\n## Section 2\nnothing',
    ],
    ['as fields', '1. **Claim:** It rains.\n   - **t:** 754\n   - **Quote:** "it rains a lot"'],
    [
      'as elements',
      '<point>\n<t>754</t>\n<claim>It rains.</claim>\n<quote>it rains a lot</quote>\n</point>\n<point>',
    ],
  ])('reads points %s', (_what, answer) => {
    expect(parsePoints(answer).points).toEqual([POINT]);
  });

  it.each([
    ['- [754] The tag `<p>` begins a paragraph. "the tag p"', 'The tag <p> begins a paragraph.'],
    ['- [754] `<ul>` and `<ol>` are lists. "the tag p"', '<ul> and <ol> are lists.'],
    ['- [754] The tag <li> begins an item. "the tag p"', 'The tag <li> begins an item.'],
  ])('reads the tags that a talk is about as words: %s', (line, claim) => {
    expect(parsePoints(line).points).toEqual([{ claim, second: 754, quote: 'the tag p' }]);
  });

  it('reads each of the indented lines with a quotation of their own', () => {
    const answer = 'Points:\n  - It rains. "it rains a lot"\n  - It blows. "the wind blows"';
    expect(parsePoints(answer).points).toEqual([
      { claim: 'It rains.', quote: 'it rains a lot' },
      { claim: 'It blows.', quote: 'the wind blows' },
    ]);
  });

  it('takes the sentences of prose as claims', () => {
    expect(parsePoints('It rains a lot today. Then the sun came out again.')).toEqual({
      form: 'prose',
      points: [{ claim: 'It rains a lot today.' }, { claim: 'Then the sun came out again.' }],
    });
  });

  it('takes anything without throwing, and never more than forty points', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.constant('{"claim":"a b c"}')).map((all) => all.join()),
        ),
        (answer) => {
          expect(parsePoints(answer).points.length).toBeLessThanOrEqual(40);
        },
      ),
    );
  });

  it.each(['{', '{"a', '[1] "', '. ', '. "', '[', '- ', '"', "{'", '[{'])(
    'takes time in proportion to the length of %j repeated',
    (sign) => expectLinear(200_000, (size) => parsePoints(sign.repeat(size / sign.length))),
  );
});
