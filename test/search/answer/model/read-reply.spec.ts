import fc from 'fast-check';
import { readReply, writtenSentences } from '../../../../lib/search/answer/model/read-reply.js';

const REPLY = { answerable: true, answer: 'A "b" {c}. [1]', quotes: [{ n: 1, text: 'a b c' }] };
const JSON_TEXT = JSON.stringify(REPLY);
const SOURCES = [
  { url: 'https://a.example/x', title: 'Museum of Ham', text: 'It opened in 1902.', score: 1 },
  { url: 'https://b.example/y', title: 'A day in Ham', text: 'The museum is from 1902.', score: 0.9 },
];

describe('the reader of a reply', () => {
  it.each([
    ['as it is', JSON_TEXT],
    ['in a code fence', `Here it is:\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nI hope it helps.`],
    ['after another try', `{"answer": "perhaps"} or {so}: ${JSON_TEXT}`],
    ['as the arguments of a tool', JSON.stringify([{ name: 'answer', arguments: REPLY }])],
    ['as a string in JSON', JSON.stringify({ function: { name: 'answer', arguments: JSON_TEXT } })],
    [
      'with other names of fields',
      JSON.stringify({
        can_answer: true,
        response: REPLY.answer,
        citations: [{ source: 1, excerpt: 'a b c' }],
      }),
    ],
    ['indented', JSON.stringify(REPLY, null, 2)],
    ['with a comma too many', JSON_TEXT.replace(/\]\}$/, '],}')],
  ])('takes JSON %s', (_, text) => expect(readReply(text, SOURCES)).toEqual(REPLY));

  it('takes unescaped quotation marks inside strings', () => {
    const text =
      '{"answerable": true, "answer": "The sign says "closed" on Mondays. [1]", "quotes": [{"n": 1, "text": "a sign "closed" hangs there"}, {"n": 2, "text": "on Mondays"}]}';
    expect(readReply(text, SOURCES)).toEqual({
      answerable: true,
      answer: 'The sign says "closed" on Mondays. [1]',
      quotes: [
        { n: 1, text: 'a sign "closed" hangs there' },
        { n: 2, text: 'on Mondays' },
      ],
    });
  });

  it.each([
    [
      '{"answerable": true, "answer": "One. [1] Two. [2]", "quotes": [{"n": 1, "text": "one here"}, {"n": 2, "te',
      1,
    ],
    ['{"answerable": true, "answer": "One. [1] Two. [2]", "quo', 0],
    ['{"answerable": true, "answer": "One. [1] Two. [2] Thr', 0],
  ])('takes what was written of a reply that is cut off: %s', (text, quotes) => {
    const reply = readReply(text, SOURCES);
    expect(reply).toMatchObject({ answerable: true, answer: 'One. [1] Two. [2]' });
    expect(reply!.quotes).toHaveLength(quotes);
  });

  it.each<[string, unknown, { n?: number; text: string }[]]>([
    ['strings', ['[2] some words', 'other words'], [{ n: 2, text: 'some words' }, { text: 'other words' }]],
    ['one string', 'some words', [{ text: 'some words' }]],
    ['one object', { n: 1, text: 'some words' }, [{ n: 1, text: 'some words' }]],
    [
      'by number',
      { '1': 'some words', '2': ['a', 'b'] },
      [
        { n: 1, text: 'some words' },
        { n: 2, text: 'a' },
        { n: 2, text: 'b' },
      ],
    ],
    ['without a number', [{ text: 'some words' }], [{ text: 'some words' }]],
    ['with other names', [{ source: '[2]', quote: 'x' }, 5], [{ n: 2, text: 'x' }]],
  ])('takes quotations as %s', (_, quotes, expected) => {
    expect(
      readReply(JSON.stringify({ answerable: true, answer: 'A. [1]', quotes }), SOURCES)!.quotes,
    ).toEqual(expected);
  });

  it('takes verdicts as words, and line ends inside strings', () => {
    expect(readReply('{"answerable": "No", "answer": "One.\nTwo.", "quotes": []}', SOURCES)).toEqual({
      answerable: false,
      answer: 'One.\nTwo.',
      quotes: [],
    });
  });

  it('takes tags named as the fields', () => {
    const tags = '<reply><answerable>true</answerable>\n<answer>A "b" {c}. [1]</answer></reply>';
    expect(readReply(tags, SOURCES)).toEqual({ ...REPLY, quotes: [] });
    expect(readReply('<answer>It opened in 1902. [1]', SOURCES)).toEqual({
      answer: 'It opened in 1902. [1]',
      quotes: [],
    });
    expect(readReply('<answerable>false</answerable><answer>No year.</answer>', SOURCES)).toMatchObject({
      answerable: false,
    });
  });

  it('takes prose with source numbers', () => {
    expect(readReply('Dogs must not eat grapes. [1]', SOURCES)).toEqual({
      answer: 'Dogs must not eat grapes. [1]',
      quotes: [],
    });
  });

  it.each([
    'The sources do not say when the museum opened in Ham in 1902.',
    'Ich habe nichts über das Museum in Ham gefunden.',
    'Je n’ai rien trouvé sur le musée de Ham.',
    'Las fuentes carecen de datos sobre el museo de Ham.',
    'Non ho trovato nulla sul museo di Ham.',
    'Faltam dados sobre o museu de Ham.',
    'The museum of Ham is a fascinating subject:',
    "I'm sorry, but I can't help with that.",
    'The sources do not say it (1).',
    '<answer>I could not find the museum of Ham.</answer>',
    '{"answer": "I could not find the museum of Ham."}',
    '',
    '[]',
    '{}',
    '{"answerable": true}',
    '{"answer": ""}',
  ])('takes nothing else: %s', (text) => expect(readReply(text, SOURCES)).toBeUndefined());

  it('never throws, reads back what was written as JSON, and is done in time', () => {
    fc.assert(fc.property(fc.string(), (text) => void readReply(text, SOURCES)));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (answer, answerable) => {
        fc.pre(answer.trim() !== '');
        expect(
          readReply(`Well: ${JSON.stringify({ answerable, answer, quotes: [] })} Done.`, SOURCES),
        ).toMatchObject({
          answerable,
          answer: answer.trim(),
        });
      }),
    );
    for (const hostile of [
      '{"answer": "'.repeat(5000),
      `{"answer": "${' '.repeat(50_000)}`,
      '<think>'.repeat(8000),
      '{'.repeat(50_000),
      '"'.repeat(50_000),
      '{"a":'.repeat(10_000),
    ])
      readReply(hostile, SOURCES);
  });
});

describe('the sentences of an answer', () => {
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
    ['One is here [source 1]. Two is here [Source 1, Source 2].', [[1], [1, 2]]],
    ['One is here (Quelle 1). Two is here (Fuente: 2).', [[1], [2]]],
    ['One is here (1). Two is here (1, 2).', [[1], [1, 2]]],
    ['One is here¹. Two is here.¹²', [[1], [1, 2]]],
  ])('know their source numbers: %s', (answer, cited) => {
    const sentences = writtenSentences(answer, SOURCES, [1, 2]);
    expect(sentences.map((s) => s.cited)).toEqual(cited);
    expect(sentences.map((s) => s.text.replace('.', ''))).toEqual(['One is here', 'Two is here']);
  });

  it.each([
    ['numbers that are links', '[1](https://a.example/x) [[2]](https://elsewhere.example)'],
    ['links to sources', '([a.example](https://www.a.example/x/)) [](https://b.example/y)'],
    ['addresses of sources in brackets', '(https://a.example/x) (b.example/y)'],
    ['numbers in two kinds of brackets', '([1][2])'],
  ])('know their sources by %s', (_, marks) => {
    expect(
      writtenSentences(`It opened in 1902 ${marks}. More (https://c.example) here.`, SOURCES),
    ).toMatchObject([
      { text: 'It opened in 1902.', cited: [1, 2] },
      { text: 'More here.', cited: [] },
    ]);
  });

  it.each([
    'It has (3) rooms.',
    'It has 3 rooms (7).',
    'First (1) pay, then (2) enter.',
    'The hall has 90 m².',
    'It opened on a hill (2). [1]',
    'It has room for a cup (3).',
    'The tank holds 200 centimeter³.',
    'It is heated to [75](https://a.example/x) degrees.',
  ])('keep a number that is that of no quoted source: %s', (answer) => {
    const shown = answer.replace('[75](https://a.example/x)', '75').replace(' [1]', '');
    expect(writtenSentences(answer, SOURCES, [1, 2])[0]!.text).toBe(shown);
  });

  it('keep an address of a source that is said, and the words of a link to it', () => {
    const answer = 'Its site is https://a.example/x. The [museum](https://a.example/x) is free.';
    expect(writtenSentences(answer, SOURCES)).toMatchObject([
      { text: 'Its site is https://a.example/x.', cited: [] },
      { text: 'The museum is free.', cited: [1] },
    ]);
  });

  it('end where source numbers follow a full stop, whatever the word before', () => {
    expect(writtenSentences('Il coûte 178 € en vol. [1] Le train est moins cher. [2]', [])).toMatchObject([
      { text: 'Il coûte 178 € en vol.', cited: [1] },
      { text: 'Le train est moins cher.', cited: [2] },
    ]);
  });

  it('keep the marks of a list, and French spacing', () => {
    expect(
      writtenSentences('Deux étapes :\n1. Ouvrir. [1]\n2) Fermer. [1]\n* Partir. [2]', []),
    ).toMatchObject([
      { text: 'Deux étapes :', lead: '' },
      { text: 'Ouvrir.', lead: '1. ' },
      { text: 'Fermer.', lead: '2. ' },
      { text: 'Partir.', lead: '- ' },
    ]);
  });

  it('are the rows of a table without its head', () => {
    const table =
      '| Place | Opened | Source |\n|---|:-:|---|\n| Museum | in 1902 | [1] |\n|Park | in 1910. | [2]|\nBoth are in Ham. [1]';
    expect(writtenSentences(table, SOURCES)).toMatchObject([
      { text: 'Museum – in 1902', cited: [1], lead: '- ' },
      { text: 'Park – in 1910.', cited: [2], lead: '- ' },
      { text: 'Both are in Ham.', cited: [1], lead: '' },
    ]);
  });

  it.each([
    ['footnotes', '\n[^1]: Museum of Ham. https://a.example/x\n[^2]: A day in Ham.'],
    ['a list of sources', '\n\n**Sources:**\n- [1] Museum of Ham (https://a.example/x)\n2. b.example/y'],
    ['a question to the reader', ' Would you like to know more? 😊'],
    ['a sentence that is said again and again', '\n- It opened in 1902. [2]'.repeat(14)],
  ])('leave out a heading, and %s', (_, rest) => {
    const answer = `## Answer\n\nIt opened in 1902. [1][2]${rest}`;
    expect(writtenSentences(answer, SOURCES)).toMatchObject([{ text: 'It opened in 1902.', cited: [1, 2] }]);
  });

  it('keep a time of day at the end', () => {
    expect(writtenSentences('It is open. [1] It closes at 17:30.', SOURCES)).toHaveLength(2);
  });

  it.each([
    'It opened in 1902. [1]\nMuseum of Ham. [1]',
    'Green tea:\n- 75 °C [1]\nSencha:\n- 70 °C [1]\nThe second cup:\n- 75 °C [1]',
    'Ask yourself: [1]\n- Is it open?\n- Is it free?',
  ])('are all kept in %j', (answer) => {
    const shown = writtenSentences(answer, SOURCES).map(({ lead, text }) => lead + text);
    expect(shown.join('\n')).toBe(answer.replaceAll(' [1]', ''));
  });

  it('may be the title of a source that no other sentence cites, and the same step twice', () => {
    const answer = 'Visit one of them:\n1. Museum of Ham [1]\n2. Rest.\n3. A day in Ham [2]\n4. Rest.';
    expect(writtenSentences(answer, SOURCES).map((s) => s.text)).toEqual([
      'Visit one of them:',
      'Museum of Ham',
      'Rest.',
      'A day in Ham',
      'Rest.',
    ]);
  });

  it('keep code apart, with its angle brackets', () => {
    expect(writtenSentences('Run `npm i foo` in `List<T>`. [1]', [])).toMatchObject([
      { text: 'Run npm i foo in List<T>.', code: ['npm i foo', 'List<T>'] },
    ]);
  });

  it('hold no address that no source has', () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), (text, url) => {
        for (const s of writtenSentences(`${text} ${url} and more.`, [])) expect(s.text).not.toContain('://');
      }),
    );
  });
});
