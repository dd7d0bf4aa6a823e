/**
 * Do the services still speak as this package expects? See `docs/compatibility.md`.
 *
 * Asks each service one real question and prints Markdown: the rows of the table in that page with what came, and field by field how the answers
 * differ in shape from the documented ones (test/fixtures). The output contains no key, no address and no text of an answer.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as library from '../dist/index.js';
import { WEB_CLIENT } from '../dist/content/youtube/innertube/clients.js';
import { parseVideoId } from '../dist/content/youtube/video-id.js';
import { withContext } from '../dist/core/context.js';
import { upstreamFaults } from '../dist/core/errors.js';
import { ENVIRONMENT_PROVIDERS } from '../dist/search/providers/from-environment.js';
import { asMarkdown, hasFailed, runCanary } from './lib/canary.mjs';

const HELP = `npm run bench -- canary [options]

Asks each outside service one real question, and compares the shape of its answer with the documented one.
Services that need a key are asked if their variable is set, e.g. BRAVE_API_KEY (docs/search-providers.md), SUPADATA_API_KEY.

  --only a,b        these services only, e.g. brave,exa,innertube
  --query "…"       what to search for; it must have results everywhere
  --video VIDEO_ID  a video with captions, as an ID or an address
  --help            this text

Exit code: 1 if a service failed or answered in another shape. A limit of this address or key is no failure.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    query: { type: 'string', default: 'Golgi apparatus function' },
    // "Me at the zoo", which has captions in several languages.
    video: { type: 'string', default: 'jNQXAC9IVRw' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
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
if (hasFailed(reports)) process.exitCode = 1;
