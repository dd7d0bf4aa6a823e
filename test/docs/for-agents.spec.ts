import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = process.cwd();
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const words = (text: string): number => text.split(/\s+/).filter((word) => /\w/.test(word)).length;
const { files } = JSON.parse(read('package.json')) as { files: string[] };

describe('AGENTS.md', () => {
  const page = read('AGENTS.md');
  const named = [...page.matchAll(/`((?:lib|test|docs|bench|sample-app)(?:\/[\w.-]+)*)`/g)].map(
    ([, path]) => path!,
  );

  it('has fewer than 80 lines', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThan(80);
  });

  it('names every folder of lib, and only what exists', () => {
    const folders = readdirSync(join(ROOT, 'lib'), { withFileTypes: true });
    const expected = folders.filter((entry) => entry.isDirectory()).map(({ name }) => `lib/${name}`);
    expect(expected.filter((folder) => !named.includes(folder))).toEqual([]);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const specs = [...page.matchAll(/npm test -- (\S+?)`/g)].map(([, path]) => path!);
    expect(specs.length).toBeGreaterThan(0);
    expect(specs.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('docs/coding-agents.md', () => {
  it('has fewer than 1,500 words', () => {
    expect(words(read('docs/coding-agents.md'))).toBeLessThan(1500);
  });
});

describe('llms.txt', () => {
  const lines = read('llms.txt').trimEnd().split('\n');
  const entries = lines.filter((line) => line.startsWith('- '));
  const targets = entries.map((entry) => /^- \[[^\]]+\]\(([^)]+)\): \S.*$/.exec(entry)?.[1] ?? entry);

  it('has the form of llmstxt.org: a title, a summary, and lists of links with a description each', () => {
    expect(lines[0]).toMatch(/^# \S/);
    expect(lines[2]).toMatch(/^> \S/);
    expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
    // Before the first heading any text may stand, after it only lists.
    const sections = lines.slice(lines.findIndex((line) => line.startsWith('## ')));
    expect(sections.filter((line) => !/^(?:## \S.*|- \[.*|)$/.test(line))).toEqual([]);
  });

  it('lists every page of the documentation once', () => {
    const pages = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'));
    const listed = targets.filter((target) => target.startsWith('docs/')).sort();
    expect(listed).toEqual(pages.map((page) => `docs/${page}`).sort());
  });

  it('is in the npm package', () => {
    expect(files).toEqual(expect.arrayContaining(['llms.txt', 'docs/*.md']));
  });
});
