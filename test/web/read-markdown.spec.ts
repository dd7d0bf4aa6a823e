import fc from 'fast-check';
import { shownBlock, type Block } from '../../lib/web/blocks.js';
import { readMarkdown } from '../../lib/web/read-markdown.js';

const read = (text: string, html = true): Block[] => readMarkdown(text, { html });
const shown = (text: string): string[] => read(text).map(shownBlock);

describe('readMarkdown', () => {
  it('reads headings as the context of what follows', () => {
    const blocks = read('# Bikes\n\nIntro.\n\n## Prices ##\n\nCheap.\n\nFees\n====\n\nNone.');
    expect(blocks.map(({ kind, text, headings }) => [kind, text, headings])).toEqual([
      ['heading', 'Bikes', []],
      ['paragraph', 'Intro.', ['Bikes']],
      ['heading', 'Prices', ['Bikes']],
      ['paragraph', 'Cheap.', ['Bikes', 'Prices']],
      ['heading', 'Fees', []],
      ['paragraph', 'None.', ['Fees']],
    ]);
  });

  it('takes a line of emphasis alone for a heading', () => {
    const [heading, text] = read('**Opening hours**\n\nFrom 9 to 5.');
    expect(heading).toMatchObject({ kind: 'heading', text: 'Opening hours' });
    expect(text).toMatchObject({ kind: 'paragraph', headings: ['Opening hours'] });
  });

  it('reads a table by row, with the names of the columns', () => {
    const blocks = read(
      'Prices:\n\n| Vehicle | Unlock | Minute |\n|---|:-:|---|\n| City bike | £1 | 9p |\n| Trike | | `4p` |',
    );
    expect(blocks.map((b) => b.text)).toEqual([
      'Prices:',
      'City bike – Unlock: £1; Minute: 9p',
      'Trike – Minute: 4p',
    ]);
    expect(blocks[1]).toMatchObject({
      kind: 'row',
      cells: ['City bike', '£1', '9p'],
      columns: ['Vehicle', 'Unlock', 'Minute'],
      leadIn: 'Prices:',
    });
  });

  it.each([
    ['without outer pipes', 'a | b\n--|--\n1 | 2', ['1 – b: 2']],
    ['without a header', '| 1 | 2 |\n| 3 | 4 |', ['1: 2', '3: 4']],
    ['of one line', '| 1 | 2 |', ['1: 2']],
    ['with an escaped pipe', '| a | b |\n|-|-|\n| x\\|y | 2 |', ['x|y – b: 2']],
    ['with text behind it', '| a | b |\n|-|-|\n| 1 | 2 |\nAfter.', ['1 – b: 2', 'After.']],
  ])('reads a table %s', (_, markdown, texts) => {
    expect(shown(markdown)).toEqual(texts);
  });

  it('keeps items with what introduces them', () => {
    const blocks = read(
      'Bring:\n\n- a passport\n  and a photo\n- keys\n  - of the house\n\n1. Open\n2) Close',
    );
    expect(blocks.slice(1).map(({ text, marker, leadIn }) => [text, marker, leadIn])).toEqual([
      ['a passport and a photo', '•', 'Bring:'],
      ['keys', '•', 'Bring:'],
      ['of the house', '•', 'keys'],
      ['Open', '1.', 'Bring:'],
      ['Close', '2)', 'Bring:'],
    ]);
  });

  it('keeps code as it is', () => {
    const blocks = read(
      'Run:\n\n```ts\nconst a: Map<string, T> = b * c * d;\n  if (x_y_z) {}\n```\nand `Promise<User>` or `__init__`.',
    );
    expect(blocks[1]).toMatchObject({
      kind: 'code',
      text: 'const a: Map<string, T> = b * c * d;\n  if (x_y_z) {}',
      leadIn: 'Run:',
    });
    expect(blocks[2]!.text).toBe('and Promise<User> or __init__.');
  });

  it('disarms tags in code, which a client might show as HTML', () => {
    expect(shown('```\n<img src=x onerror=go()>\n```\n\n`<script>` and `<T>`')).toEqual([
      '< img src=x onerror=go()>',
      '< script> and <T>',
    ]);
  });

  it.each([
    ['emphasis', '**Lake** *Baikal* is __very__ _deep_ ~~now~~', 'Lake Baikal is very deep ~~now~~'],
    ['products and names with underscores', '2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
    [
      'links and images',
      'see [the page](https://a.example/x_(y)) ![alt](b.png) <https://c.example/>',
      'see the page https://c.example/',
    ],
    ['escapes', 'a \\* b \\[c\\]', 'a * b [c]'],
    ['tags and entities', 'a<b>b</b> &amp; H<sub>2</sub>O', 'ab & H2O'],
    ['footnotes', 'It is so.[^1]', 'It is so.'],
    ['marks of notes', 'It is so.[3]', 'It is so.[3]'],
    ['quotations', '> quoted\n> text', 'quoted text'],
    [
      'wrapped lines',
      'This line is long enough to have been wrapped by\nIts author.',
      'This line is long enough to have been wrapped by Its author.',
    ],
    ['tasks', '- [x] done', '• [x] done'],
  ])('reads %s', (_, markdown, text) => {
    expect(shown(markdown)).toEqual([text]);
  });

  it('keeps short lines apart', () => {
    expect(shown('Town hall\n12 High Street\nAB1 2CD Townsend')).toEqual([
      'Town hall',
      '12 High Street',
      'AB1 2CD Townsend',
    ]);
  });

  it.each([
    ['front matter', '---\ntitle: x\ntags:\n  - y\n---\nText.'],
    ['rules', '---\n\nText.\n\n***'],
    ['definitions of links', 'Text.\n\n[a]: https://a.example "t"'],
    ['directives', ':::note\nText.\n:::'],
  ])('leaves out %s', (_, markdown) => {
    expect(shown(markdown)).toEqual(['Text.']);
  });

  it('takes tags for text where there is no HTML', () => {
    expect(read('The <details> element and &amp; are text.', false)[0]!.text).toBe(
      'The < details> element and &amp; are text.',
    );
  });

  it('loses no word of plain text', () => {
    const word = fc.stringMatching(/^[a-zà-ü0-9]{1,8}[.,:;?!]?$/);
    const text = fc.array(fc.oneof({ weight: 6, arbitrary: word }, fc.constant('\n'), fc.constant('\n\n')), {
      maxLength: 60,
    });
    const words = (t: string): string[] => t.match(/[\p{L}\p{N}]+/gu) ?? [];
    fc.assert(
      fc.property(text, (parts) => {
        const source = parts.join(' ');
        expect(words(read(source).map(shownBlock).join('\n'))).toEqual(words(source));
      }),
    );
  });

  it('gives clean, non-empty text for anything', () => {
    const piece = fc.constantFrom(
      '#',
      ' ',
      '\n',
      '|',
      '-',
      '*',
      '_',
      '`',
      '```',
      '<',
      '>',
      '[',
      ']',
      '(',
      ')',
      'a',
      '1.',
      '\u200b',
      '&lt;',
      'img src=x',
      '</',
      '=',
      '!',
      '~',
      ':',
      '<td>',
      '<li>',
      '\t',
      '    ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const block of read(pieces.join(''))) {
          expect(block.text.trim()).not.toBe('');
          expect(block.text).not.toMatch(/[\u200b\0]|<(?:img|[!/?])/);
          if (block.kind !== 'code') expect(block.text).not.toContain('\n');
        }
      }),
    );
  });
});
