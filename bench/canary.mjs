/**
 * Do the services still speak as this package expects? Run it where there is internet, with the keys in the environment:
 *
 *   npm run canary                               every configured service
 *   npm run canary -- --only brave,exa,innertube some of them
 *   npm run canary -- --video VIDEO_ID --query "…"
 *
 * Asks each service one real question and prints Markdown: what came, and field by field how the answer differs in shape from the recorded one
 * (test/fixtures). The output contains no key, no address and no text of an answer. Paste it into an issue as it is.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as library from '../dist/index.js';
import { WEB_CLIENT } from '../dist/content/youtube/innertube/clients.js';
import { parseVideoId } from '../dist/content/youtube/video-id.js';
import { withContext } from '../dist/core/context.js';
import { upstreamFaults } from '../dist/core/errors.js';
import { ENVIRONMENT_PROVIDERS } from '../dist/search/providers/from-environment.js';
import { asMarkdown, runCanary } from './lib/canary.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    query: { type: 'string', default: 'Golgi apparatus function' },
    // "Me at the zoo", which has captions in several languages.
    video: { type: 'string', default: 'jNQXAC9IVRw' },
  },
});
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const reports = await runCanary(
  { ...library, ENVIRONMENT_PROVIDERS, WEB_CLIENT, withContext, upstreamFaults },
  {
    env: process.env,
    only: values.only?.split(',').map((name) => name.trim()),
    query: values.query,
    videoId: parseVideoId(values.video),
  },
);
console.log(asMarkdown(reports, { version, date: new Date().toISOString().slice(0, 10) }));
if (!reports.some(({ outcome }) => outcome === 'ok')) process.exitCode = 1;
