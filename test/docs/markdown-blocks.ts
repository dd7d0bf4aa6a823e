import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A fenced block of a page. */
export interface MarkdownBlock {
  /** Where it is, for the names of tests: `README.md:57`. */
  place: string;
  /** Language of the fence: `ts`, `sh`, `python`, …. */
  language: string;
  text: string;
}

/** README, CONTRIBUTING, AGENTS, llms.txt, and every page under `docs/`, relative to the root. */
export function documentationPages(root: string): string[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    'README.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    'llms.txt',
    ...pages.filter((page) => page.endsWith('.md')).map((page) => relative(root, join(root, 'docs', page))),
  ];
}

/** The fenced blocks of a page in order. */
export function blocksOf(root: string, page: string): MarkdownBlock[] {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const blocks: MarkdownBlock[] = [];
  let open: MarkdownBlock | undefined;
  lines.forEach((line, index) => {
    const fence = /^```(\w*)/.exec(line);
    if (open && fence) {
      blocks.push(open);
      open = undefined;
    } else if (open) open.text += `${line}\n`;
    else if (fence) open = { place: `${page}:${index + 1}`, language: fence[1]!, text: '' };
  });
  return blocks;
}
