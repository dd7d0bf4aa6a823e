import fc from 'fast-check';
import { parseWritten } from '../../../../lib/summarize/methods/parse/written-summary.js';
import { expectLinear } from '../../../support/cpu-time.js';

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

  it('takes titles, preambles, word counts and rules for what they are', () => {
    const answer =
      '# The rain\n\nHere is the summary:\n\n---\n\nIt rains a lot there. It is wet.\n\n(Word count: 8)\n\n## Key takeaways\n* It rains. "it rains a lot"';
    expect(parseWritten(answer)).toMatchObject({
      text: 'It rains a lot there. It is wet.',
      keyPoints: [{ claim: 'It rains.', quote: 'it rains a lot' }],
    });
  });

  it('keeps the lines of a list as sentences, joins lines that were wrapped, and leaves “12. May” alone', () => {
    expect(parseWritten('- It rains a lot in the valley.\n- It is wet there.\n').text).toBe(
      'It rains a lot in the valley.\nIt is wet there.',
    );
    expect(parseWritten('It rains a lot in the\nvalley of the kings.').text).toBe(
      'It rains a lot in the valley of the kings.',
    );
    expect(parseWritten('12. May was wet, and all the others were dry.').text).toBe(
      '12. May was wet, and all the others were dry.',
    );
    expect(parseWritten('1. It rains a lot in the valley.\n2. It is wet there now.').text).toBe(
      'It rains a lot in the valley.\nIt is wet there now.',
    );
  });

  it('knows headings in the six languages, and takes others for the next part', () => {
    for (const [points, sections] of [
      ['WICHTIGE PUNKTE', 'ABSCHNITTE'],
      ['## Points clés', '## Chapitres'],
      ['**Puntos clave:**', '**Secciones:**'],
      ['Punti chiave', 'Sezioni'],
      ['Pontos-chave', 'Seções'],
      ['### 2. Key insights', '### 3. Table of contents'],
      ['## What stays', '## How it runs'],
    ]) {
      const answer = `It rains a lot in the valley.\n\n${points}\n- [1] It rains.\n\n${sections}\n- [1] Rain | It falls.`;
      expect(parseWritten(answer)).toMatchObject({
        text: 'It rains a lot in the valley.',
        keyPoints: [{ claim: 'It rains.', second: 1 }],
        sections: [{ second: 1, title: 'Rain', summary: 'It falls.' }],
      });
    }
  });

  it('keeps entries of the form of a list in it where headings group them', () => {
    const answer =
      'It rains a lot in the valley.\n\n## Key points\n### Water\n- [1] It rains. "it rains a lot"\n\n**Wind**\n- [9] It blows. "the wind blows"\n\n**Ablauf**\n- [1] Rain | It falls.\n\n**Abend**\n- [20] Wind | It blows.\n\n**Note:**\n- Nothing was left out.';
    expect(parseWritten(answer)).toMatchObject({
      keyPoints: [{ claim: 'It rains.' }, { claim: 'It blows.' }],
      sections: [{ title: 'Rain' }, { title: 'Wind' }],
    });
  });

  it.each([
    [
      'as bullets below a title',
      '1. **Point 1**\n   - **Timestamp:** 0:08\n   - **Claim:** It rains.\n   - **Quote:** *"it rains a lot"*\n\n## Sections\n1. **Rain**\n   - **Start time:** 0:00\n   - **Summary:** It falls.',
    ],
    [
      'as lines',
      'Time: 0:08\nClaim: It rains.\nQuote: "it rains a lot"\n\nNote: Nothing was left out.\n\n## Sections\nstart: 0\ntitle: Rain\nsummary: It falls.',
    ],
    [
      'as bullets side by side',
      '- **Claim:** It rains.\n- **Time:** 0:08\n- **Quote:** "it rains a lot"\n\n## Sections\n- **Time:** 0\n- **Title:** Rain\n- **Summary:** It falls.',
    ],
    [
      'as elements',
      '<keypoint>\n  <timestamp>8</timestamp>\n  <statement>It rains.</statement>\n  <quote>it rains a lot</quote>\n</keypoint>\n</keypoints>\n<sections>\n<section><start>0</start><title>Rain</title><description>It falls.</description></section>',
    ],
  ])('reads fields %s', (_how, lists) => {
    expect(parseWritten(`It rains a lot in the valley.\n\n## Key points\n${lists}`)).toEqual({
      text: 'It rains a lot in the valley.',
      keyPoints: [{ claim: 'It rains.', second: 8, quote: 'it rains a lot' }],
      sections: [{ second: 0, title: 'Rain', summary: 'It falls.' }],
      seen: [],
    });
  });

  it.each([
    [
      'escaped',
      '\\*\\*KEY POINTS\\*\\*\n\\- \\[8\\] It rains. \\"it rains a lot\\"\n\n\\#\\# SECTIONS\n1\\. \\[0\\] \\*\\*Rain\\*\\* \\| It falls.',
    ],
    [
      'in full width',
      '＃＃ KEY POINTS\n- ［0：08］It rains. “it rains a lot”\n\n＊＊SECTIONS＊＊\n- ［0：00］Rain｜It falls.',
    ],
  ])('reads marks that are %s', (_how, lists) => {
    expect(parseWritten(`It rains a lot in the valley.\n\n${lists}`)).toMatchObject({
      text: 'It rains a lot in the valley.',
      keyPoints: [{ claim: 'It rains.', second: 8, quote: 'it rains a lot' }],
      sections: [{ second: 0, title: 'Rain', summary: 'It falls.' }],
    });
  });

  it('reads sections with their titles as headings, and the words below', () => {
    const answer =
      'It rains a lot.\n\n# Sections\n\n## Rain (0:00 – 1:20)\n\nIt falls.\n\n**Wind** [1:20]\n- It blows.\n\nLet me know if you want more!';
    expect(parseWritten(answer).sections).toEqual([
      { second: 0, title: 'Rain', summary: 'It falls.' },
      { second: 80, title: 'Wind', summary: 'It blows.' },
    ]);
  });

  it('leaves titles that are called as fields are', () => {
    const answer =
      'It rains a lot.\n\n## Sections\n- Start: All begins.\n- Details: It rains on.\n- Summary: It stops.';
    expect(parseWritten(answer).sections).toEqual([
      { title: 'Start', summary: 'All begins.' },
      { title: 'Details', summary: 'It rains on.' },
      { title: 'Summary', summary: 'It stops.' },
    ]);
  });

  it.each([
    '- Fact: The mill is old.\n- Source: The river feeds the wheel.\n- Quote: The mayor said no.',
    '1. Note: The roof leaks.\n2. Evidence: Old maps show the mill.',
    '- Text: The sign is new. "the sign is new"\n- Note: The roof leaks.',
  ])('leaves statements that begin as fields do: %s', (points) => {
    const { keyPoints } = parseWritten(`It rains a lot.\n\n## Key points\n${points}`);
    expect(keyPoints.map(({ claim }) => claim)).toEqual(
      points.split('\n').map((line) => line.replace(/^\S+ | "[^"]*"$/g, '')),
    );
  });

  it('takes a note after a quotation for a statement of its own', () => {
    const answer =
      'It rains.\n\n## Key points\n- Point: It blows.\n- Quote: "the wind blows"\n- Note: It rains.';
    expect(parseWritten(answer).keyPoints).toEqual([
      { claim: 'It blows.', quote: 'the wind blows' },
      { claim: 'Note: It rains.' },
    ]);
  });

  it.each([
    '| Part | Price |\n|---|---|\n| Bearing | 18,000 |\n| Wheel | 400 |',
    '| Oven | Heat | Price |\n|---|---|---|\n| Gas | 300 degrees in the middle | 400 |',
    '| Day | Opens | Closes |\n|---|---|---|\n| Monday | 9:30 | 17:00 |',
  ])('keeps a table of the prose in it, and what follows: %s', (table) => {
    const { text, keyPoints } = parseWritten(
      `It compares some.\n\n${table}\n\nThe last is best.\n\nKEY POINTS\n- [8] It rains.`,
    );
    for (const line of table.split('\n').filter((row) => !row.includes('--'))) expect(text).toContain(line);
    expect(text).toMatch(/The last is best\.$/);
    expect(keyPoints).toEqual([{ claim: 'It rains.', second: 8 }]);
  });

  it('begins the points with a row of a table that states what is said at a time', () => {
    const rows = '| Time | Point |\n|---|---|\n| 8 | It rains a lot there. |\n| 0:20 | It blows. |';
    expect(parseWritten(`It rains a lot there.\n\n${rows}`)).toMatchObject({
      text: 'It rains a lot there.',
      keyPoints: [
        { claim: 'It rains a lot there.', second: 8 },
        { claim: 'It blows.', second: 20 },
      ],
    });
  });

  it('takes anything, in time that grows with its length', async () => {
    const piece = fc.constantFrom(
      'KEY POINTS',
      '\n',
      '- ',
      '[1] ',
      '# ',
      '**',
      '"',
      'It rains. ',
      '{',
      '}',
      '```',
      '|',
      ':',
      '<a>',
      '  ',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => void parseWritten(pieces.join(''))));
    for (const sign of ['[', '#', '\n', '- \n', '**', '|', '{', '"', '<', ': ', '[1] x\n', ' ']) {
      await expectLinear(60_000, (times) => parseWritten(sign.repeat(times)));
    }
  });
});
