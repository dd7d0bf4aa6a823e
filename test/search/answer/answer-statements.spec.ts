import fc from 'fast-check';
import { edited, readAnswer } from '../../../lib/search/answer/read-answer.js';

const statementsOf = (answer: string) => readAnswer(answer).statements;

describe('the statements of an answer', () => {
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
    ['One is here【1†L3】. Two is here [^2].', [[1], [2]]],
    ['- One is here [1]\n- Two is here [2]', [[1], [2]]],
    ['One is here. Two is here. [2]', [[], [2]]],
    ['One is here [source 1]. Two is here [Source 1, Source 2].', [[1], [1, 2]]],
    ['One is here (Quelle 1). Two is here (Fuente: 2).', [[1], [2]]],
    ['One is here [1](https://a.example/x). Two is here [[2]](https://b.example).', [[1], [2]]],
  ])('know their source numbers: %s', (answer, cited) => {
    const statements = statementsOf(answer);
    expect(statements.map(({ marks }) => marks.flatMap(({ numbers }) => numbers))).toEqual(cited);
    expect(statements.map(({ text }) => text.replace('.', ''))).toEqual(['One is here', 'Two is here']);
  });

  it('end where source numbers follow a full stop, whatever the word before', () => {
    const answer = 'Il coûte 178 € en vol. [1] Le train est moins cher. [2]';
    expect(statementsOf(answer).map(({ text }) => text)).toEqual([
      'Il coûte 178 € en vol.',
      'Le train est moins cher.',
    ]);
  });

  it('are the items of a list, the rows of a table, and each block of code', () => {
    const answer = [
      'Two ways:',
      '- Fast. [1]',
      '1. Slow. [2]',
      '',
      '| Medicine | Daily maximum |',
      '|---|:-:|',
      '| Doloril | 1,200 mg [1] |',
      '**Commands**',
      '```sh',
      'quill convert items[0]',
      'quill doctor',
      '```',
      'Use `items[0]` first. [1]',
    ].join('\n');
    expect(statementsOf(answer)).toMatchObject([
      { text: 'Two ways:', kind: 'prose' },
      { text: 'Fast.', kind: 'item' },
      { text: 'Slow.', kind: 'prose' },
      { text: 'Medicine – Daily maximum', kind: 'head' },
      { text: 'Doloril – 1,200 mg', kind: 'prose', marks: [{ numbers: [1] }] },
      { text: 'Commands', kind: 'head' },
      { text: '', kind: 'block', code: ['quill convert items[0]', 'quill doctor'] },
      { text: 'Use items[0] first.', code: ['items[0]'], marks: [{ numbers: [1] }] },
    ]);
  });

  it('name no source as a value', () => {
    expect(statementsOf('According to source 2, it costs €19. [2]')[0]!.text).toBe(
      'According to, it costs €19.',
    );
  });
});

it('edits leave every other character as it is', () => {
  const word = fc.constantFrom(
    'Dogs bark. ',
    '[1]',
    '[2, 3]',
    '`a[0]`',
    '\n',
    '- ',
    '| a | b |',
    '```',
    '**x** ',
    '#',
    'e.g. ',
  );
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const { text, statements } = readAnswer(words.join(''));
      const marks = statements.flatMap((statement) => statement.marks);
      expect(
        edited(
          text,
          marks.map((mark) => ({ ...mark, text: text.slice(mark.start, mark.end) })),
        ),
      ).toBe(text);
      for (const { start, end } of statements) expect(start).toBeLessThanOrEqual(end);
    }),
  );
});
