import { jest } from '@jest/globals';
import { getEventListeners, once } from 'node:events';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withContext } from '../../../lib/core/context.js';
import { unpdfReader } from '../../../lib/web/extract/unpdf-reader.js';

const never = new AbortController().signal;
const fake = (name: string): string => resolve('test/support/fake-pages/pdf', name);

/** A PDF of one page per text, in the simplest form that the format allows. */
function pdf(texts: string[], title = ''): Buffer {
  const kids = texts.map((_, i) => `${i * 2 + 4} 0 R`).join(' ');
  const pages = texts.map((text, i) => {
    const stream = `BT /F1 18 Tf 10 10 Td (${text}) Tj ET`;
    return `${i * 2 + 4} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R/F2 98 0 R>>>>/Contents ${i * 2 + 5} 0 R>>endobj
${i * 2 + 5} 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj`;
  });
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${kids}]/Count ${texts.length}>>endobj
3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
${pages.join('\n')}
98 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>endobj
99 0 obj<</Title(${title})>>endobj
trailer<</Root 1 0 R/Info 99 0 R>>`);
}

/** The text of a page of letters of 10 points: each word or cell at its place, in the order of the file. */
async function pageOf(pieces: readonly Piece[]): Promise<string> {
  const shown = pieces.map(
    ([x, y, text, font = 'F1']) =>
      `/${font} 10 Tf 1 0 0 1 ${x} ${y} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj`,
  );
  return (await unpdfReader()(pdf([`) Tj ${shown.join(' ')} (`]), never)).text;
}
type Piece = [x: number, y: number, text: string, font?: 'F1' | 'F2'];
/** Rows with their cells at the given left edges, 14 points apart. */
const rowsAt = (
  edges: readonly number[],
  rows: readonly (readonly string[])[],
  head: 'F1' | 'F2' = 'F1',
): Piece[] =>
  rows.flatMap((cells, row) =>
    cells.flatMap((text, i): Piece[] =>
      text === '' ? [] : [[edges[i]!, 700 - row * 14, text, row === 0 ? head : 'F1']],
    ),
  );

describe('unpdfReader', () => {
  it('reads text and title', async () => {
    const read = unpdfReader();
    expect(await read(pdf(['Cells have organelles.', 'Second page.'], 'On cells'), never)).toEqual({
      text: 'Cells have organelles.\n\nSecond page.',
      title: 'On cells',
    });
    expect(getEventListeners(never, 'abort')).toHaveLength(0);
  });

  it('keeps no more pages than it may', async () => {
    const read = unpdfReader({ maxPages: 2 });
    expect(await read(pdf(['One.', 'Two.', 'Three.']), never)).toEqual({
      text: 'One.\n\nTwo.',
      read: '2 of 3 pages',
    });
  });

  it('joins a word that a line breaks where the text has the whole word', async () => {
    const text =
      ') Tj 0 100 Td (Organelles, the organ-) Tj 0 -20 Td (elles of a well-) Tj 0 -20 Td (known cell';
    expect((await unpdfReader()(pdf([text]), never)).text).toBe(
      'Organelles, the organelles of a well-\nknown cell',
    );
  });

  it('rejects a file that is not a PDF, and goes on', async () => {
    const read = unpdfReader();
    await expect(read(Buffer.from('%PDF-1.4 nothing'), never)).rejects.toThrow();
    expect((await read(pdf(['Fine.']), never)).text).toBe('Fine.');
  });

  it('is ended by the signal, however busy it is, and does not hold up the process', async () => {
    const read = unpdfReader({ modulePath: fake('hanging-reader.cjs') });
    const controller = new AbortController();
    const reason = new Error('stage over');
    const channel = new BroadcastChannel('hanging-reader');
    const busy = once(channel, 'message');
    const first = read(Buffer.from('x'), controller.signal);
    const second = read(Buffer.from('x'), controller.signal);
    await busy;
    channel.close();
    // That this thread goes on meanwhile is seen by its turns.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await Promise.all([expect(first).rejects.toBe(reason), expect(second).rejects.toBe(reason)]);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('is given up when it takes too long, and the next one is read', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const channel = new BroadcastChannel('hanging-reader');
      const busy = once(channel, 'message');
      const reading = unpdfReader({ modulePath: fake('hanging-reader.cjs') })(Buffer.from('x'), never);
      await busy;
      channel.close();
      jest.advanceTimersByTime(5_000);
      await expect(reading).rejects.toThrow('Reading the PDF takes more than 5 seconds.');
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets callers take turns, however many PDFs each has', async () => {
    const read = unpdfReader();
    const order: string[] = [];
    const asked = (caller: string): Promise<unknown> =>
      withContext(Infinity, { caller }, async ({ signal }) => {
        await read(pdf(['Fine.']), signal);
        order.push(caller);
      });
    await Promise.all([...Array.from({ length: 5 }, () => asked('greedy')), asked('modest')]);
    expect(order.indexOf('modest')).toBeLessThanOrEqual(1);
  });

  it('is ended when it takes too much memory', async () => {
    const read = unpdfReader({ modulePath: fake('greedy-reader.cjs') });
    await expect(read(Buffer.from('x'), never)).rejects.toThrow(/memory/i);
  });

  it('is ended when it takes too much memory outside of its heap, and gives it back', async () => {
    const read = unpdfReader({ modulePath: fake('inflating-reader.cjs') });
    let most = 0;
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    await expect(read(Buffer.from('x'), never)).rejects.toMatchObject({ reason: 'unreadable' });
    clearInterval(watch);
    // Without a bound it would be all the memory of the machine; how much it takes between two looks depends on the machine.
    expect(most - before).toBeLessThan(2_000_000_000);
  });

  it('does not blame a PDF for memory that the caller frees meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let garbage: object[] | null = Array.from({ length: 2_000_000 }, (_, i) => ({ i, more: [i] }));
    expect(garbage).toHaveLength(2_000_000);
    const reading = unpdfReader()(pdf(['Fine.']), never);
    await new Promise((resolve) => setImmediate(resolve));
    garbage = null;
    collect();
    expect((await reading).text).toBe('Fine.');
  });

  it('keeps no more text than of any other page', async () => {
    const read = unpdfReader({ modulePath: fake('wordy-reader.cjs') });
    const { text } = await read(Buffer.from('x'), never);
    expect(text.length).toBeGreaterThan(500_000);
    expect(text.length).toBeLessThanOrEqual(1024 * 1024);
  });

  describe('gives as a Markdown table', () => {
    const edges = [50, 150, 250];
    const STATIONS = [
      ['Station', 'Opened', 'Platforms'],
      ['Aldgate', '1876', '4'],
      ['Barbican', '1865', '2'],
      ['Canons Park', '1932', '2'],
      ['Debden', '1865', '2'],
    ];
    const TABLE = [
      '| Station | Opened | Platforms |',
      '|---|---|---|',
      '| Aldgate | 1876 | 4 |',
      '| Barbican | 1865 | 2 |',
      '| Canons Park | 1932 | 2 |',
      '| Debden | 1865 | 2 |',
    ].join('\n');

    it('lines whose cells stand in columns, with the text around them', async () => {
      const text = await pageOf([
        [50, 740, 'Stations and when they were opened, of the lines that we know.'],
        ...rowsAt(edges, STATIONS),
        [50, 600, 'All of them are open at night.'],
      ]);
      expect(text).toBe(
        `Stations and when they were opened, of the lines that we know.\n\n${TABLE}\n\nAll of them are open at night.`,
      );
    });

    it('figures that end at the same place', async () => {
      const right = (x: number, text: string): number => x - text.replace(/[.,]/g, '').length * 5.56 - 2.78;
      const rows = [
        ['Aldgate', '1,200', '7'],
        ['Barbican', '80', '11'],
        ['Debden', '15,000', '300'],
      ];
      const pieces = rows.flatMap(([name, a, b], row): Piece[] => [
        [50, 686 - row * 14, name!],
        [right(200, a!), 686 - row * 14, a!],
        [right(260, b!), 686 - row * 14, b!],
      ]);
      expect(await pageOf([[50, 700, 'Station'], [172, 700, '2023'], [236, 700, '2024'], ...pieces])).toBe(
        '| Station | 2023 | 2024 |\n|---|---|---|\n' +
          '| Aldgate | 1,200 | 7 |\n| Barbican | 80 | 11 |\n| Debden | 15,000 | 300 |',
      );
    });

    it('cells of several words and pieces, an empty cell, a cell that goes on in the next line', async () => {
      const rows = [
        ['Line', 'From', 'Remark'],
        ['Central', 'Epping', 'Runs at night | slowly'],
        ['Jubilee', '', 'Renumbered'],
        ['', '', 'in spring'],
        ['Victoria', 'Brixton', 'None'],
      ];
      expect(await pageOf([...rowsAt([50, 150, 250], rows, 'F2'), [40, 300, 'End.']])).toBe(
        '| Line | From | Remark |\n|---|---|---|\n| Central | Epping | Runs at night \\| slowly |\n' +
          '| Jubilee |  | Renumbered in spring |\n| Victoria | Brixton | None |\n\nEnd.',
      );
    });

    it('names above two columns of which one holds figures', async () => {
      const rows = [['Station', 'Platforms'], ...STATIONS.slice(1).map(([name, , count]) => [name!, count!])];
      expect(await pageOf(rowsAt([50, 150], rows))).toMatch(/^\| Station \| Platforms \|\n\|---\|---\|\n/);
    });

    it('rows without names where nothing shows that the first one names the columns', async () => {
      expect(await pageOf(rowsAt(edges, STATIONS.slice(1)))).toMatch(
        /^\| {2}\| {2}\| {2}\|\n\|---\|---\|---\|\n\| Aldgate \| 1876 \| 4 \|\n/,
      );
      const words = [
        ['Ann', 'Bath', 'Red'],
        ['Bob', 'Cork', 'Blue'],
        ['Cy', 'Deal', 'Green'],
      ];
      expect(await pageOf(rowsAt(edges, words))).toMatch(/^\| {2}\| {2}\| {2}\|\n/);
      expect(await pageOf(rowsAt(edges, words, 'F2'))).toMatch(/^\| Ann \| Bath \| Red \|\n\|---/);
    });
  });

  describe('leaves as text', () => {
    const PROSE = [
      ['The reef lives in warm and shallow', 'water, and corals need light to grow'],
      ['water, where corals build it over', 'so that most of them are found where'],
      ['many years. Fish find shelter there', 'the sea is clear and not too deep for'],
      ['and feed on what grows between the', 'the sun. Storms break branches, which'],
      ['branches of the older corals, which', 'grow again where they come to rest.'],
    ];

    it.each([
      [
        'after each other',
        [0, 1].flatMap((i) =>
          rowsAt(
            [50, 300],
            PROSE.map((row) => row.map((cell, j) => (i === j ? cell : ''))),
          ),
        ),
      ],
      ['line by line', rowsAt([50, 300], PROSE)],
    ])('prose that is set in two columns, written %s', async (_, pieces) => {
      const text = await pageOf(pieces);
      expect(text).not.toContain('|');
      expect(text).toContain('shallow');
    });

    it('prose that is set in three columns', async () => {
      const rows = PROSE.map(([a, b]) => [a!, b!, a!]);
      expect(await pageOf(rowsAt([50, 250, 450], rows))).not.toContain('|');
    });

    it.each([
      [
        'two lines with a key and a value',
        [
          ['Opened', '1876'],
          ['Platforms', '4'],
        ],
      ],
      [
        'keys with values that are words',
        [
          ['Name', 'Aldgate'],
          ['City', 'London'],
          ['Line', 'Circle'],
          ['Zone', 'Inner'],
        ],
      ],
      [
        'a table of contents',
        [
          ['1', 'Reefs ..........', '3'],
          ['2', 'Fish ...........', '9'],
          ['3', 'Storms .........', '12'],
        ],
      ],
    ])('%s', async (_, rows) => {
      expect(await pageOf(rowsAt([50, 150, 300], rows))).not.toContain('|');
    });

    it('pieces of lines that stand in no columns', async () => {
      const pieces = Array.from({ length: 9 }, (_, row): Piece[] => [
        [50, 700 - row * 14, 'Some'],
        [90 + row * 31, 700 - row * 14, 'words'],
        [150 + row * 47, 700 - row * 14, 'apart'],
      ]);
      expect(await pageOf(pieces.flat())).not.toContain('|');
    });
  });
});
