import fc from 'fast-check';
import {
  cleanOutput,
  dropUnfinished,
  limitWords,
} from '../../../lib/summarize/methods/parse/clean-output.js';
import { parsePoints, splitQuote, toSecond } from '../../../lib/summarize/methods/parse/points.js';
import { SummaryStream } from '../../../lib/summarize/methods/parse/summary-stream.js';
import { parseWritten } from '../../../lib/summarize/methods/parse/written-summary.js';
import { createDelimiter } from '../../../lib/model/prompt-delimiter.js';

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
  ])('reads points %s', (_what, answer) => {
    expect(parsePoints(answer).points).toEqual([POINT]);
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

  it('is linear in braces and quotes', () => {
    const start = performance.now();
    parsePoints('{'.repeat(200_000));
    parsePoints('{"a'.repeat(60_000));
    parsePoints('[1] "'.repeat(40_000));
    expect(performance.now() - start).toBeLessThan(500);
  });
});

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

describe('parseWritten', () => {
  it('divides summary, key points and sections', () => {
    const answer =
      'One.\n\nTwo.\n\n## KEY POINTS:\n- [10] First "as it was said"\n1. [0:20] Second\nnoise\n**SECTIONS**\n- [0] Start: All begins.\n';
    expect(parseWritten(answer)).toEqual({
      text: 'One.\n\nTwo.',
      keyPoints: [
        { claim: 'First', second: 10, quote: 'as it was said' },
        { claim: 'Second', second: 20 },
      ],
      sections: [{ second: 0, title: 'Start', summary: 'All begins.' }],
      seen: [],
    });
  });

  it('is all summary where nothing else was written', () => {
    expect(parseWritten('Only text.')).toEqual({ text: 'Only text.', keyPoints: [], sections: [], seen: [] });
  });
});

describe('SummaryStream', () => {
  const stream = (pieces: string[]): string => {
    let text = '';
    const own = new SummaryStream(
      (piece) => (text += piece),
      () => false,
    );
    for (const piece of pieces) own.push(piece);
    own.end();
    return text;
  };
  const ANSWER =
    'Key people met [12] in town. See https://bad.example now.\n\nSecond part here.\n\nKEY POINTS\n- [10] First\n';

  it('gives the summary without what follows and without marks and addresses, however it is cut', () => {
    const whole = 'Key people met in town. See now.\n\nSecond part here.';
    expect(stream([ANSWER])).toBe(whole);
    expect(stream([...ANSWER])).toBe(whole);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 5 }), (sizes) => {
        const pieces: string[] = [];
        let rest = ANSWER;
        for (let i = 0; rest; i++) {
          pieces.push(rest.slice(0, sizes[i % sizes.length]));
          rest = rest.slice(sizes[i % sizes.length]);
        }
        expect(stream(pieces)).toBe(whole);
      }),
    );
  });

  it('passes text on before the end', () => {
    const seen: string[] = [];
    const own = new SummaryStream(
      (piece) => seen.push(piece),
      () => false,
    );
    own.push('Now the first words come');
    expect(seen.join('')).toBe('Now the first words');
  });
});

describe('cleanOutput', () => {
  it('takes out marks, control characters and addresses that the source has not', () => {
    const text =
      '# Title\n**Bold** `code` [12:34] [3] a\u202eb\u0007 www.bad.com/x (https://bad.io) good.example/y keep.';
    expect(cleanOutput(text, (address) => address === 'good.example/y')).toBe(
      'Title\nBold code a b good.example/y keep.',
    );
  });
});

describe('limitWords and dropUnfinished', () => {
  it('keep whole sentences', () => {
    expect(limitWords('One two three. Four five six. Seven eight nine.', 3)).toBe(
      'One two three. Four five six.',
    );
    expect(dropUnfinished('One two three. Four fi')).toBe('One two three.');
  });
});

describe('createDelimiter', () => {
  it('wraps without interpreting and has a tag that is in none of the texts', () => {
    const { tag, wrap } = createDelimiter(['material-0000000000']);
    expect(tag).toMatch(/^material-[0-9a-f]{10}$/);
    expect(wrap('$& $1')).toBe(`<${tag}>\n$& $1\n</${tag}>`);
  });
});
