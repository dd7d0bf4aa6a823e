import fc from 'fast-check';
import { windowOf } from '../../lib/tools/cursor-window.js';
import { BlockList, markdownOf, type BlockText } from '../../lib/web/blocks.js';
import { roughTokens } from '../../lib/model/model-profile.js';
import { readLongMarkdown } from '../../lib/web/read-markdown.js';

const pause = (): undefined => undefined;
const words = fc
  .array(fc.stringMatching(/^[a-zé語]{1,12}$/u), { minLength: 1, maxLength: 60 })
  .map((list) => list.join(' '));
const cells = fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 2, maxLength: 4 });
const part = fc.oneof(
  words.map((text) => (list: BlockList) => list.paragraph({ text: `${text}.` })),
  fc.tuple(words, fc.integer({ min: 1, max: 6 })).map(([text, level]) => (list: BlockList) => {
    list.heading({ text }, level);
  }),
  fc.tuple(words, fc.integer({ min: 0, max: 3 })).map(([text, indent]) => (list: BlockList) => {
    list.item({ text }, '•', indent);
  }),
  fc.array(cells, { minLength: 1, maxLength: 30 }).map((rows) => (list: BlockList) => {
    const columns = ['Name', 'Value', 'Unit', 'Note'];
    for (const row of rows) list.row(row, columns.slice(0, row.length));
  }),
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 8 }), words), { minLength: 1, maxLength: 20 })
    .map((lines) => (list: BlockList) => {
      list.code({ text: lines.map(([depth, text]) => ' '.repeat(depth) + text).join('\n') }, 'ts');
    }),
);
const pages = fc.array(part, { minLength: 1, maxLength: 15 }).map((parts) => {
  const list = new BlockList();
  for (const write of parts) write(list);
  return list.blocks;
});

/** All windows of a page. */
function windowsOf(page: BlockText, maxTokens: number): string[] {
  const contents: string[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const { content, next } = windowOf(page, from, maxTokens);
    contents.push(content);
    if (next !== undefined && next <= from) throw new Error(`no way forward at ${from}`);
    from = next;
  }
  return contents;
}

/** What of a text is neither space, nor written again for each window: headers of tables, and fences. */
const essence = (text: string): string =>
  text.replace(/^\| Name \|.*\n\|(?:---\|)+$|^```.*$/gm, '').replace(/\s/g, '');

describe('the windows of a page', () => {
  it('make up the whole: nothing is lost, said twice or out of order', async () => {
    await fc.assert(
      fc.asyncProperty(pages, fc.integer({ min: 30, max: 400 }), async (blocks, maxTokens) => {
        const page = await markdownOf(blocks, pause);
        const contents = windowsOf(page, maxTokens);
        expect(essence(contents.join('\n'))).toBe(essence(page.text));
        for (const content of contents) {
          expect(roughTokens(content)).toBeLessThanOrEqual(maxTokens + 2);
          // Each one can be shown on its own.
          expect((content.match(/^```/gm) ?? []).length % 2).toBe(0);
          if (content.startsWith('| ')) expect(content).toMatch(/^\| Name \|.*\n\|---/);
        }
      }),
    );
  });

  it('keep the indentation of code and inner lists', async () => {
    const list = new BlockList();
    list.item({ text: 'outer '.repeat(30).trim() }, '•', 0);
    list.item({ text: 'inner '.repeat(20).trim() }, '•', 1);
    list.code({ text: `if a:\n${'    b()\n'.repeat(40)}` }, 'py');
    const contents = windowsOf(await markdownOf(list.blocks, pause), 50);
    expect(contents[1]).toMatch(/^ {2}- inner/m);
    for (const content of contents.slice(2))
      expect(content).toMatch(/^```py\n(?:if a:\n)?(?: {4}b\(\)\n)+```$/);
  });

  it.each(['```\n', '[a]: b\n'])('count lines that say nothing: %j', async (line) => {
    const text = line.repeat(2000);
    const contents = windowsOf({ text, blocks: await readLongMarkdown(text, pause) }, 400);
    expect(contents.length).toBeGreaterThan(5);
    for (const content of contents) expect(roughTokens(content)).toBeLessThanOrEqual(402);
  });

  it('begin behind the fence of code that a Markdown page has', async () => {
    const text = 'The reef is built by corals.\n\n```js\nlet a = 1;\nlet b = 2;\n```\n\nIt grows slowly.';
    const page = { text, blocks: await readLongMarkdown(text, pause) };
    expect(windowsOf(page, 15).map((content) => content.slice(0, 3))).toEqual(['The', '```', 'It ']);
  });
});
