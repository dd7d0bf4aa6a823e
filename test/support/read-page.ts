import { readFileSync } from 'node:fs';
import { sanitizeMarkdown } from '../../lib/text/sanitize-markdown.js';
import { extractPage, type ExtractedPage } from '../../lib/web/extract/extract-page.js';

const URL_OF_PAGE = new URL('https://mill.example/docs/page');

/** A page as it was sent, read, with the Markdown that leaves. */
export async function readPage(type: string, source: string): Promise<ExtractedPage & { content: string }> {
  const raw = { type, contentType: `${type}; charset=utf-8`, body: Buffer.from(source), url: URL_OF_PAGE };
  const page = await extractPage(raw);
  return { ...page, content: sanitizeMarkdown(page.text!, { base: URL_OF_PAGE.href }) };
}

export const shownPage = async (type: string, source: string): Promise<string> =>
  (await readPage(type, source)).content;

/** A page of a kind that people have reported. */
export const report = (file: string): string => readFileSync(`test/fixtures/reports/${file}`, 'utf8');
