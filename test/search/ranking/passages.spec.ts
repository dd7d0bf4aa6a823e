import fc from 'fast-check';
import { paragraphOf } from '../../../lib/web/blocks.js';
import { readMarkdown } from '../../../lib/web/read-markdown.js';
import { Analyzer } from '../../../lib/search/ranking/analyzer.js';
import { bestPassages, contentOf, type Passage } from '../../../lib/search/ranking/passages.js';
import { PieceMatch, piecesOf } from '../../../lib/search/ranking/pieces.js';
import { queryTerms } from '../../../lib/search/ranking/query-terms.js';
import { excerptOf, unitsOf } from '../../../lib/search/ranking/index-units.js';

function passagesFor(query: string, text: string, title = ''): Promise<Passage[]> {
  const analyzer = new Analyzer('en');
  const pieces = piecesOf(readMarkdown(text), 'en');
  const vocabulary = new Set<string>();
  for (const { text: t } of pieces) analyzer.eachTerm(t, (term) => vocabulary.add(term));
  const match = new PieceMatch(queryTerms(query, new Map([['en', analyzer]]), vocabulary), analyzer, title);
  return bestPassages(
    pieces.map((piece) => ({ piece, found: match.of(piece) })),
    { count: 2 },
    () => undefined,
  );
}

const filler = (n: number, about: string): string =>
  Array.from({ length: n }, (_, i) => `Sentence number ${i} tells something about the ${about}.`).join(' ');

describe('bestPassages', () => {
  it('takes a short page whole, as plain text', async () => {
    const [passage, ...others] = await passagesFor('price', '# Shop\n\n**All** prices:\n\n- a: 1\n- b: 2');
    expect(passage!.text).toBe('Shop\nAll prices:\n• a: 1\n• b: 2');
    expect(others).toEqual([]);
  });

  it('finds the section of a long page, from its beginning and under its heading', async () => {
    const page = `# Garden\n\n${filler(40, 'garden')}\n\n## Animals\n\nMarmots live here. ${filler(5, 'field')} They whistle when an eagle comes.\n\n## Roads\n\n${filler(40, 'road')}`;
    const [passage] = await passagesFor('Why does a marmot whistle?', page);
    expect(passage!.text).toMatch(/^Animals\nMarmots live here\./);
    expect(passage!.text).toContain('They whistle when an eagle comes.');
    expect(passage!.text).not.toContain('road');
  });

  it('prefers words of a section to those of a heading above all sections', async () => {
    const sections = ['History', 'Deliveries', 'Money back', 'Contact'].map(
      (name) =>
        `## ${name}\n\n${name === 'Money back' ? 'Our refund policy: 30 days.' : ''} ${filler(20, name.toLowerCase())}`,
    );
    const [, second] = await passagesFor('refund policy', `# Refund policy\n\n${sections.join('\n\n')}`);
    expect(second!.text).toContain('Our refund policy: 30 days.');
  });

  it('keeps items with what introduces them and rows with their columns', async () => {
    const items = Array.from({ length: 60 }, (_, i) => `- item ${i} weighs rather little`).join('\n');
    const [list] = await passagesFor('item 57', `${filler(30, 'house')}\n\nWhat you must bring:\n\n${items}`);
    expect(list!.text).toContain('What you must bring:');
    expect(list!.text).toContain('item 57');
    const rows = Array.from({ length: 60 }, (_, i) => `| Bike ${i} | ${i} pounds |`).join('\n');
    const [table] = await passagesFor(
      'unlock fee of bike 41',
      `| Vehicle | Unlock fee |\n|---|---|\n${rows}`,
    );
    expect(table!.text).toContain('Bike 41 – Unlock fee: 41 pounds');
  });

  it('gives passages of bounded length for text without blanks or full stops', async () => {
    for (const piece of ['tower-30-m-tall-', '(30)(30)', 'x', '漢字', '! ', '. "']) {
      const passages = await passagesFor('tower', piece.repeat(50_000 / piece.length));
      for (const { text } of passages) expect(text.length).toBeLessThan(4000);
    }
  });

  it('shows only words of the page, in passages that do not overlap', async () => {
    const sentence = fc
      .array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta'), { minLength: 1, maxLength: 40 })
      .map((w) => `Begin ${w.join(' ')}.`);
    const block = fc.array(sentence, { minLength: 1, maxLength: 12 }).map((s) => s.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 12 }), async (blocks) => {
        const page = blocks.join('\n\n');
        const passages = await passagesFor('gamma delta', page);
        const seen = new Set<unknown>();
        for (const { pieces, text } of passages) {
          expect(text.split(/\s+/).length).toBeLessThanOrEqual(200);
          for (const line of text.split('\n')) expect(page).toContain(line);
          for (const { piece } of pieces) {
            expect(seen.has(piece)).toBe(false);
            seen.add(piece);
          }
        }
      }),
    );
  });
});

describe('contentOf', () => {
  it('is one line of at most 700 characters around what matches, with its heading', async () => {
    const page = `# Garden\n\n${filler(6, 'garden')}\n\n## Animals\n\nMarmots live here. They whistle when an eagle comes.\n\n${filler(6, 'field')}`;
    const content = contentOf((await passagesFor('marmots whistle', page))[0]!, 'Garden');
    expect(content).toContain('Animals: Marmots live here. They whistle when an eagle comes.');
    expect(content.length).toBeLessThanOrEqual(700);
    expect(content).not.toContain('\n');
  });

  it('does not repeat the title', async () => {
    expect(contentOf((await passagesFor('open', '# Shop\n\nOpen from 9.'))[0]!, 'Shop')).toBe('Open from 9.');
    expect(contentOf((await passagesFor('shop', '# Shop', 'Shop'))[0]!, 'Shop')).toBe('Shop');
  });
});

describe('unitsOf', () => {
  const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

  it('keeps a page of normal length whole', () => {
    expect([...unitsOf('One. Two.', [paragraphOf('One. Two.')])]).toEqual([
      { start: 0, end: 9, context: '', headings: '', body: 'One. Two.' },
    ]);
  });

  it('cuts a long document at its headings, and gives each part its context', () => {
    const rows = Array.from({ length: 300 }, (_, i) => `| name ${i} | value |`).join('\n');
    const text = `# Book\n\n${filler(45, 'start')}\n\n## Second\n\n| Name | Value |\n|---|---|\n${rows}`;
    const units = [...unitsOf(text, readMarkdown(text))];
    expect(units.length).toBeGreaterThan(2);
    expect(text.slice(units[1]!.start, units[1]!.end)).toMatch(/^## Second/);
    expect(units.at(-1)!.context).toBe('# Book\n## Second\n| Name | Value |\n|---|---|');
    expect(units.at(-1)!.headings).toBe('Book\nSecond');
    expect(readMarkdown(excerptOf(text, units.at(-1)!)).at(-1)).toMatchObject({ columns: ['Name', 'Value'] });
  });

  it('loses no word, and bounds each unit', () => {
    const line = fc.constantFrom(
      '# Head',
      'A sentence of some words.',
      '- an item',
      '',
      '| a | b |',
      'Text '.repeat(90),
      '```',
      'x'.repeat(500),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
        const text = lines.join('\n');
        const blocks = readMarkdown(text);
        const units = [...unitsOf(text, blocks)];
        const all = blocks.map((b) => b.text).join(' ');
        expect(
          units
            .map((u) => u.body)
            .join(' ')
            .match(/\w+/g) ?? [],
        ).toEqual(all.match(/\w+/g) ?? []);
        units.forEach((unit, i) => {
          expect(words(unit.body)).toBeLessThanOrEqual(500);
          if (i > 0) expect(unit.start).toBeGreaterThanOrEqual(units[i - 1]!.end);
        });
      }),
    );
  });
});
