/**
 * The index of `documents()` beside those of other packages, each with its defaults and in a process of its own: processor time, memory, and
 * whether the right page comes first. Packages that are no part of this repository are installed into a temporary folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documents } from '../../dist/search/providers/documents.provider.js';
import { queriesOf, seeded, synthetic } from './scale.mjs';
import { everydaySites } from './sets.mjs';
import { miniSearch, ours } from './systems.mjs';

const PEERS = ['@orama/orama@3', 'lunr@2', 'flexsearch@0.8'];
const ASKED_FOR = 10;

/** @param peer loads an installed package */
const systems = (peer) => [
  // Time and memory are those of the index; the pages that come first are those of a request.
  { ...ours, index: indexOfOurs },
  miniSearch,
  {
    name: 'Orama',
    async build(corpus) {
      const { create, insertMultiple, search } = peer('@orama/orama');
      const index = await create({ schema: { url: 'string', title: 'string', text: 'string' } });
      await insertMultiple(index, corpus);
      return async (term, limit) => {
        const { hits } = await search(index, { term, properties: ['title', 'text'], limit });
        return hits.map(({ document }) => document.url);
      };
    },
  },
  {
    name: 'lunr',
    async build(corpus) {
      const lunr = peer('lunr');
      const index = lunr(function () {
        this.ref('url');
        this.field('title');
        this.field('text');
        for (const document of corpus) this.add(document);
      });
      // What lunr reads as its own syntax stays out of its sight.
      return async (query, count) =>
        index
          .search(query.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' '))
          .slice(0, count)
          .map(({ ref }) => ref);
    },
  },
  {
    name: 'FlexSearch',
    async build(corpus) {
      const { Document } = peer('flexsearch');
      const index = new Document({ document: { id: 'url', index: ['title', 'text'] } });
      for (const document of corpus) index.add(document);
      return async (query, limit) =>
        [...new Set(index.search(query, { limit }).flatMap(({ result }) => result))].slice(0, limit);
    },
  },
];

async function indexOfOurs(corpus) {
  const provider = documents(corpus);
  await provider.ready();
  const context = {
    signal: new AbortController().signal,
    remainingMs: () => Infinity,
    progress() {},
    noCache: true,
  };
  return async (text, count) => (await provider.search({ text, count }, context)).hits;
}

/** Prints a table over `count` synthetic documents, and the everyday questions in the language of their site. */
export function measurePeers(count) {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-tools-peers-'));
  try {
    execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', ...PEERS]);
    const rows = systems().map(({ name }) => {
      const args = ['--expose-gc', fileURLToPath(import.meta.url), name, String(count), folder];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`${name}\n${stderr}`);
      return JSON.parse(stdout);
    });
    console.log(`\n${count} documents of about 100 words, processor time`);
    console.table(rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(name, count, folder) {
  const system = systems(createRequire(join(folder, 'package.json'))).find((one) => one.name === name);
  const { first, firstFive, questions } = await qualityOf(system);
  const random = seeded(7);
  const texts = synthetic(count, random);
  const queries = queriesOf(texts, random);
  globalThis.gc();
  const idle = process.memoryUsage.rss();
  let cpu = process.cpuUsage();
  const search = await (system.index ?? system.build)(texts);
  const build = msSince(cpu);
  let hits = 0;
  cpu = process.cpuUsage();
  for (const query of queries) hits += (await search(query, ASKED_FOR)).length;
  return {
    index: name,
    'build s': Number((build / 1000).toFixed(2)),
    'a query ms': Number((msSince(cpu) / queries.length).toFixed(2)),
    'MB after 300 queries': Math.round((process.memoryUsage.rss() - idle) / 1e6),
    'hits a query': Number((hits / queries.length).toFixed(1)),
    [`right page first, first five of ${questions}, %`]: `${first} / ${firstFive}`,
  };
}

async function qualityOf(system) {
  const ranks = [];
  for (const { language, documents, questions } of everydaySites()) {
    const search = await system.build(documents);
    for (const question of questions)
      if (question.answerable && question.language === language && question.kind !== 'paraphrase') {
        const found = await search(question.question, ASKED_FOR);
        ranks.push(found.findIndex((url) => question.pages.includes(url)));
      }
  }
  const share = (most) =>
    ((100 * ranks.filter((rank) => rank >= 0 && rank < most).length) / ranks.length).toFixed(1);
  return { first: share(1), firstFive: share(5), questions: ranks.length };
}

function msSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const [name, count, folder] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(JSON.stringify(await measure(name, Number(count), folder)));
