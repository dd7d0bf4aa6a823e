/**
 * Reading pages beside @mozilla/readability on linkedom with turndown and its plugin for tables: quality, speed, memory, and behaviour on
 * hostile pages.
 *
 *   npm run bench -- extract [<folder of Readability's test pages>]     WORST=1 lists every page
 *   npm run bench -- extract --labelled <folder>                        public sets, laid out as bench/lib/labelled-pages.mjs says
 *
 * The trees that choose the text were fitted on such pages: of those that they have seen, the figures here flatter. For sites that they have not
 * seen, `npm run bench -- fit-reader <folder> --folds` gives them. Defuddle is read too where it is installed.
 *
 * Labelled pages: `bench/extract/pages` (22 pages of 10 kinds, written for this bench in the markup of the usual systems; `data-keep` and
 * `data-drop` are taken out before anyone reads them), and the everyday pages of `bench/everyday` in four templates. The folder has the layout
 * of Readability's own test pages (`<name>/source.html`, `<name>/expected.html`; github.com/mozilla/readability, test/test-pages). Its
 * expected texts are Readability's own output, so that column is its home game. Each hostile page runs in a process of its own, for 20 s.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { everydayPages } from './extract/everyday.mjs';
import { HOSTILE } from './extract/hostile.mjs';
import { labelled, scoreOf, sum } from './extract/labels.mjs';
import { longestStretch } from '../test/blocking/stretch.mjs';
import { isReadable, metricOf, pagesOf, setsIn } from './lib/labelled-pages.mjs';

const require = createRequire(import.meta.url);
const HERE = fileURLToPath(new URL('.', import.meta.url));
const FOLDER = 'https://site.example/folder/';
const URL_OF_PAGE = `${FOLDER}page.html`;

/** Markdown of a page. */
const READERS = {
  'this package': () => {
    const { extractPage } = require('../dist/web/extract/extract-page.js');
    const page = { type: 'text/html', contentType: 'text/html; charset=utf-8' };
    return async (html, address = URL_OF_PAGE) =>
      (await extractPage({ ...page, url: new URL(address), body: Buffer.from(html) })).text;
  },
  'readability + turndown': () => {
    const { Readability } = require('@mozilla/readability');
    const { parseHTML } = require('linkedom');
    const Turndown = require('turndown');
    const { gfm } = require('@joplin/turndown-plugin-gfm');
    const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
    turndown.use(gfm);
    return async (html) => {
      const article = new Readability(parseHTML(html).document).parse();
      return article ? `# ${article.title}\n\n${turndown.turndown(article.content ?? '')}` : '';
    };
  },
};

if (isInstalled('defuddle/node'))
  READERS['defuddle + turndown'] = () => {
    const { parseHTML } = require('linkedom');
    const turndown = new (require('turndown'))({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
    const defuddle = import('defuddle/node');
    return async (html) => {
      const { Defuddle } = await defuddle;
      const { content } = await Defuddle(parseHTML(html).document, URL_OF_PAGE, { useAsync: false });
      return turndown.turndown(content ?? '');
    };
  };

function isInstalled(name) {
  try {
    return import.meta.resolve(name) !== '';
  } catch {
    return false;
  }
}

const ownPages = () =>
  readdirSync(join(HERE, 'extract/pages')).map((file) => ({
    name: file.replace('.html', ''),
    ...labelled(readFileSync(join(HERE, 'extract/pages', file), 'utf8')),
  }));

const [, , mode, ...rest] = process.argv;
if (mode === '--one') await one(...rest);
else if (mode === '--set') await set(...rest);
else if (mode === '--public-set') await publicSet(...rest);
else if (mode === '--labelled') publicSets(...rest);
else compare(mode);

/** Runs this file in a process of its own. */
function run(args, timeout) {
  const flags = ['--expose-gc', '--max-semi-space-size=256'];
  return spawnSync(process.execPath, [...flags, fileURLToPath(import.meta.url), ...args], {
    timeout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function compare(folder) {
  const systems = Object.keys(READERS);
  console.log(
    '| pages | reader | text kept | boilerplate let in | rows of tables intact | code intact | ms a page | MB a page |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const name of ['own', 'everyday', ...(folder ? ['readability'] : [])])
    for (const system of systems) process.stdout.write(run(['--set', name, system, folder ?? '']).stdout);
  console.log(
    `\n| hostile page | ${systems.join(' | ')} |\n| --- | ${systems.map(() => '---').join(' | ')} |`,
  );
  for (const name of Object.keys(HOSTILE)) {
    const cells = systems.map((system) => {
      const { status, stdout, signal } = run(['--one', name, system], 20_000);
      return status === 0 ? stdout.trim() : signal ? 'over 20 s' : 'fails';
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

/**
 * Sets that others labelled, each by its own metric. Time is processor time a page, as a share of the one that is named second as well; memory
 * is what the heap grew by, the middle page.
 */
function publicSets(folder) {
  if (!folder) {
    console.error('usage: npm run bench -- extract --labelled <folder of labelled pages>');
    process.exit(2);
  }
  console.log(
    '| pages | reader | F | precision | recall | readable, nothing read | ms a page | of readability | MB a page |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const name of setsIn(folder)) {
    const results = Object.keys(READERS).map((system) => {
      const { stdout } = run(['--public-set', folder, name, system]);
      return { system, ...JSON.parse(stdout) };
    });
    const second = results[1].ms;
    for (const { system, nothing, ms, bytes, scores } of results)
      for (const [kind, { f, p, r }] of Object.entries(scores)) {
        const shown = [f, p, r].map((value) => value.toFixed(3));
        const costs = [nothing, ms.toFixed(1), (ms / second).toFixed(2), (bytes / 1e6).toFixed(1)];
        const cells = [name + kind, system, ...shown, ...(kind === '' ? costs : ['', '', '', ''])];
        console.log(`| ${cells.join(' | ')} |`);
      }
  }
}

/** A public set, read by one system, as JSON. */
async function publicSet(folder, name, system) {
  const markdown = new (require('markdown-it'))({ html: false });
  const { decodeHTML } = require('entities/decode');
  const plain = (text) =>
    decodeHTML(
      markdown
        .render(text)
        .replace(/<\/?(?:a|b|strong|em|code|s|sup|sub)\b[^>]*>/g, '')
        .replace(/<[^>]*>/g, ' '),
    );
  const read = READERS[system]();
  const pages = pagesOf(folder, name);
  const htmlOf = (page) => new TextDecoder(page.charset).decode(page.bytes());
  for (const page of pages.slice(0, 8)) await read(htmlOf(page)).catch(() => '');
  const rows = [];
  let [nothing, ms] = [0, 0];
  for (const page of pages) {
    const html = htmlOf(page);
    const started = process.cpuUsage();
    const text = await read(html, page.url).catch(() => '');
    const { user, system: kernel } = process.cpuUsage(started);
    ms += (user + kernel) / 1000;
    if (text.trim() === '' && isReadable(page)) nothing++;
    rows.push({ kind: page.kind, ...metricOf(name).ofPage(plain(text), page) });
  }
  // Apart from the times: what V8 has compiled for objects that are all gone, it throws away with them when the whole heap is collected.
  const bytes = [];
  for (const page of pages.filter((_page, i) => i % 10 === 0)) {
    const html = htmlOf(page);
    global.gc();
    const before = process.memoryUsage();
    await read(html).catch(() => '');
    const after = process.memoryUsage();
    bytes.push(after.heapUsed + after.external - before.heapUsed - before.external);
  }
  const kinds = [...new Set(rows.map(({ kind }) => kind))].filter((kind) => kind && kind !== name);
  const scores = { '': metricOf(name).ofSet(rows) };
  if (kinds.length > 1)
    for (const kind of kinds)
      scores[`, ${kind}`] = metricOf(name).ofSet(rows.filter((row) => row.kind === kind));
  const middle = bytes.sort((a, b) => a - b)[bytes.length >> 1];
  console.log(
    JSON.stringify({
      nothing,
      ms: ms / pages.length,
      bytes: middle,
      scores,
    }),
  );
}

/** One set of pages, read by one system. */
async function set(name, system, folder) {
  const read = READERS[system]();
  const pages =
    name === 'own'
      ? ownPages()
      : name === 'everyday'
        ? everydayPages().map((page) => ({ name: page.name, ...labelled(page.html) }))
        : readabilityPages(folder);
  for (const { html } of pages.slice(0, 5)) await read(html).catch(() => '');
  const rows = [];
  for (const page of pages) {
    global.gc();
    const before = process.memoryUsage();
    const started = performance.now();
    const text = await read(page.html, `${FOLDER}${page.name}.html`).catch(
      (error) => `failed: ${error.message}`,
    );
    const ms = performance.now() - started;
    const after = process.memoryUsage();
    const bytes = after.heapUsed + after.external - before.heapUsed - before.external;
    rows.push({
      name: page.name,
      ms,
      bytes,
      ...(page.expected ? overlap(page.expected, bag(text)) : scoreOf(page, text)),
    });
  }
  const share = (part, whole) =>
    sum(rows, whole) === 0 ? '–' : ((100 * sum(rows, part)) / sum(rows, whole)).toFixed(1);
  const median = (key) => rows.map((row) => row[key]).sort((a, b) => a - b)[rows.length >> 1];
  const quality = ['kept', 'let', 'tables', 'code'].map((kind) => share(kind, `${kind}Of`));
  console.log(
    `| ${name}, ${pages.length} | ${system} | ${quality.join(' | ')} | ${median('ms').toFixed(1)} | ${(median('bytes') / 1e6).toFixed(1)} |`,
  );
  if (process.env.WORST)
    for (const row of rows) {
      const of = (kind) =>
        row[`${kind}Of`] ? `${kind} ${((100 * row[kind]) / row[`${kind}Of`]).toFixed(0)}` : '';
      console.log(`  ${row.name}: ${['kept', 'let', 'tables', 'code'].map(of).filter(Boolean).join(', ')}`);
    }
}

function readabilityPages(folder) {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'expected.html')))
    .map((name) => ({
      name,
      html: readFileSync(join(folder, name, 'source.html'), 'utf8'),
      expected: bag(
        readFileSync(join(folder, name, 'expected.html'), 'utf8')
          .replace(/<[^>]*>/g, ' ')
          .replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, ' '),
      ),
    }));
}

/** One hostile page, read by one system. */
async function one(name, system) {
  const read = READERS[system]();
  const html = HOSTILE[name]();
  if (name.startsWith('article')) for (let i = 0; i < 5; i++) await read(html);
  const started = performance.now();
  const { cpuMs } = await longestStretch(() => read(html));
  const total = performance.now() - started;
  console.log(`${total.toFixed(0)} ms, loop held ${cpuMs.toFixed(0)} ms of processor time`);
}

function bag(text) {
  const words = new Map();
  const plain = text.replace(/\]\([^()\s]*\)/g, ']');
  for (const word of plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** Words of the expected text that are there, and words that are there and not expected. */
function overlap(expected, got) {
  let kept = 0;
  for (const [word, count] of got) kept += Math.min(count, expected.get(word) ?? 0);
  const size = (words) => [...words.values()].reduce((all, count) => all + count, 0);
  return {
    kept,
    keptOf: size(expected),
    let: size(got) - kept,
    letOf: size(got),
    tables: 0,
    tablesOf: 0,
    code: 0,
    codeOf: 0,
  };
}
