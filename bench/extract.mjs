/**
 * Main-text extraction beside @mozilla/readability on linkedom: quality, speed, and behaviour on hostile pages.
 *
 *   npm run build && node bench/extract.mjs [folder of pages]     WORST=10 lists the ten worst pages too
 *
 * The folder has the layout of Readability's own test pages: `<name>/source.html`, `<name>/expected.html` (github.com/
 * mozilla/readability, test/test-pages). Its expected texts are Readability's own output, so that column is its home
 * game. Without a folder only speed and hostile pages are measured. The comparison needs
 * `npm i --no-save @mozilla/readability@0.6.0 linkedom@0.18.12`; each hostile page runs in a process of its own, for 20 s.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const require = createRequire(import.meta.url);
const { extractPage } = require('../dist/web/extract/extract-page.js');

const own = async (html) => {
  const page = { type: 'text/html', contentType: 'text/html; charset=utf-8', body: Buffer.from(html) };
  return (await extractPage(page)).blocks.map(({ text, cells }) => cells?.join(' ') ?? text).join('\n');
};

function loadReadability() {
  try {
    const { Readability } = require('@mozilla/readability');
    const { parseHTML } = require('linkedom');
    return async (html) => new Readability(parseHTML(html).document).parse()?.textContent ?? '';
  } catch {
    return undefined;
  }
}

const paragraph = (n) =>
  `<p>Paragraph ${n}: the mitochondrion, found in most <a href="/e">eukaryotes</a>, makes the greater part of the cell's supply of energy, which is used as a source of chemical work.</p>`;
const menu = '<nav><ul>' + '<li><a href="/x">Another page of this site</a></li>'.repeat(300) + '</ul></nav>';
const article = (kilobytes) => {
  let body = '';
  for (let n = 0; body.length < kilobytes * 1024; n++) body += paragraph(n);
  return `<html lang="en"><head><title>Cells</title></head><body>${menu}<main><article><h1>Cells</h1>${body}</article></main><footer>${menu}</footer></body></html>`;
};

const HOSTILE = {
  'article 140 kB': () => article(100),
  'article 1 MiB': () => article(985),
  'nested div 50,000': () => '<div>'.repeat(50_000) + 'deep text, very deep',
  'nested b 100,000, other end tags': () => '<b>'.repeat(100_000) + '</i>'.repeat(100_000) + 'x',
  'unclosed p 100,000': () => '<p>one more, '.repeat(80_000),
  'nested table 20,000': () => '<table><tr><td>'.repeat(20_000) + 'x',
  'nested ul li 60,000': () => '<ul><li>a, '.repeat(60_000),
  'a 1 MiB attribute': () => `<div style="${'color:red;'.repeat(100_000)}">x</div>`,
  'attributes 200,000': () => `<div ${'a=b '.repeat(200_000)}>x</div>`,
  'unclosed comment': () => 'text <!-- ' + '<p>x'.repeat(200_000),
  'angle brackets 1 M': () => '<'.repeat(1_000_000),
  'entities 200,000': () => '&amp;'.repeat(200_000),
  'one block of 1 MiB': () => '<p>' + 'word, '.repeat(170_000),
};

if (process.argv[2] === '--one') {
  const [, , , name, which] = process.argv;
  const extract = which === 'own' ? own : loadReadability();
  const html = HOSTILE[name]();
  if (name.startsWith('article')) for (let i = 0; i < 5; i++) await extract(html);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const started = performance.now();
  await extract(html);
  const total = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  console.log(`${total.toFixed(1)} ms, loop held ${(delay.max / 1e6).toFixed(0)} ms`);
} else {
  const readability = loadReadability();
  const runners = { own, ...(readability ? { readability } : {}) };
  const folder = process.argv[2];
  if (folder) await quality(folder, runners);
  console.log('\ntime | ' + Object.keys(runners).join(' | '));
  for (const name of Object.keys(HOSTILE)) {
    const cells = Object.keys(runners).map((which) => {
      const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--one', name, which], {
        timeout: 20_000,
        encoding: 'utf8',
      });
      if (run.status === 0) return run.stdout.trim();
      return run.signal
        ? 'over 20 s'
        : (/(RangeError|TypeError|Error): [^\n]*/.exec(run.stderr)?.[0] ?? 'failed');
    });
    console.log(`${name} | ${cells.join(' | ')}`);
  }
}

async function quality(folder, runners) {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'expected.html')));
  for (const [which, extract] of Object.entries(runners)) {
    const scores = [];
    const times = [];
    for (const name of names) {
      const expected = bag(visible(readFileSync(join(folder, name, 'expected.html'), 'utf8')));
      const html = readFileSync(join(folder, name, 'source.html'), 'utf8');
      const started = performance.now();
      const got = bag(await extract(html).catch(() => ''));
      times.push(performance.now() - started);
      scores.push({ name, ...overlap(expected, got) });
    }
    const mean = (key) => (scores.reduce((sum, score) => sum + score[key], 0) / scores.length).toFixed(3);
    const f1s = scores.map(({ f1 }) => f1).sort((a, b) => a - b);
    console.log(
      `${which}: ${scores.length} pages, word F1 mean ${mean('f1')} median ${f1s[f1s.length >> 1].toFixed(3)}, ` +
        `precision ${mean('precision')}, recall ${mean('recall')}, ` +
        `median ${times.sort((a, b) => a - b)[times.length >> 1].toFixed(1)} ms, longest ${times.at(-1).toFixed(0)} ms`,
    );
    if (process.env.WORST)
      for (const { name, f1, precision, recall } of scores
        .sort((a, b) => a.f1 - b.f1)
        .slice(0, Number(process.env.WORST)))
        console.log(
          `  ${name}: F1 ${f1.toFixed(2)} precision ${precision.toFixed(2)} recall ${recall.toFixed(2)}`,
        );
  }
}

function visible(html) {
  return html.replace(/<[^>]*>/g, ' ').replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, ' ');
}

function bag(text) {
  const words = new Map();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

function overlap(expected, got) {
  let shared = 0;
  for (const [word, count] of got) shared += Math.min(count, expected.get(word) ?? 0);
  const size = (words) => [...words.values()].reduce((sum, count) => sum + count, 0) || 1;
  const precision = shared / size(got);
  const recall = shared / size(expected);
  return { precision, recall, f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
