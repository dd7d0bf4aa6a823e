/**
 * What becomes of replies in the habits of weak and strong models: what was true in them and got lost, what was junk and got through. The
 * replies are played by a fake OpenAI-compatible server over real HTTP, streamed in pieces; each says what must reach the caller and what
 * must not (bench/habits/cases.mjs).
 *
 *     npm run bench:habits -- [--only WORDS] [--show]
 *
 * Ends with status 1 when anything of a finding is lost or gets through.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Logger } from '@nestjs/common';
import { withContext } from '../dist/core/context.js';
import { ModelClient } from '../dist/model/client.js';
import { ExtractiveEvidence } from '../dist/embedded/summary/extractive-evidence.js';
import { ModelSummarizer } from '../dist/summarize/model-summarizer.js';
import { startFakeLlm } from '../test/support/fake-llm/fake-llm.mjs';
import { cases } from './habits/cases.mjs';
import { judge } from './habits/play.mjs';

Logger.overrideLogger(false);
const args = process.argv.slice(2);
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined;
const show = args.includes('--show');

const fake = await startFakeLlm({ tokensPerSecond: 8000 });
const provider = createOpenAICompatible({
  name: 'fake',
  baseURL: fake.url,
  apiKey: 'key',
  includeUsage: true,
});

const summarize = (talk, wanted, onProgress) => {
  const model = new ModelClient(provider('fake-model'), { hedgeAfterMs: 60_000 });
  const summarizer = new ModelSummarizer({ model, evidence: new ExtractiveEvidence() });
  return withContext(60_000, { onProgress }, (context) => summarizer.summarize(talk, wanted, context));
};

const groups = new Map();
for (const one of cases) {
  if (only && !`${one.group} ${one.name}`.includes(only)) continue;
  const { held, lost, junk, details } = await judge(one, fake, summarize);
  if (show && lost.length + junk.length > 0)
    console.log(`== ${one.group}: ${one.name}`, { lost, junk }, details);
  const row = groups.get(one.group) ?? { cases: 0, held: 0, lost: 0, junk: 0, bad: [] };
  row.cases++;
  row.held += held;
  row.lost += lost.length;
  row.junk += junk.length;
  if (lost.length + junk.length > 0) row.bad.push(one.open ? `${one.name} (open: ${one.open})` : one.name);
  groups.set(one.group, row);
}
await fake.close();

console.log('| habit | replies | true kept | true lost | junk through | where |\n|---|---|---|---|---|---|');
for (const [group, { cases: count, held, lost, junk, bad }] of groups)
  console.log(`| ${group} | ${count} | ${held} | ${lost} | ${junk} | ${bad.join('; ') || '-'} |`);
const sum = (rows) =>
  rows.reduce(
    (all, row) => ({
      cases: all.cases + row.cases,
      held: all.held + row.held,
      lost: all.lost + row.lost,
      junk: all.junk + row.junk,
    }),
    { cases: 0, held: 0, lost: 0, junk: 0 },
  );
const findings = sum([...groups].filter(([group]) => group.startsWith('finding')).map(([, row]) => row));
const all = sum([...groups.values()]);
console.log(
  `| **findings** | ${findings.cases} | ${findings.held} | ${findings.lost} | ${findings.junk} | |`,
);
console.log(`| **all** | ${all.cases} | ${all.held} | ${all.lost} | ${all.junk} | |`);
process.exitCode = findings.lost + findings.junk > 0 ? 1 : 0;
