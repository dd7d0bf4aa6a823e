import { readFileSync } from 'node:fs';
import { shapeDifferences } from './shape.mjs';

const FIXTURES = new URL('../../test/fixtures/', import.meta.url);
const HOP_MS = 6000;
const DEADLINE_MS = 30_000;
/** Outcome of a service whose key or program is not there. */
const NOT_ASKED = 'not configured';

/**
 * Asks every configured service one real question, and compares the shape of its answer with the documented one.
 *
 * @param lib the library: the exports of `dist/index.js`, and `ENVIRONMENT_PROVIDERS`, `WEB_CLIENT`, `withContext`, `upstreamFaults`
 * @param options.env environment variables with the keys
 * @param options.only names of services; default all that are configured
 * @param options.query what to search for; it must have results everywhere
 * @param options.videoId a video with captions
 * @param options.send sends the requests; default the global `fetch`
 * @returns one report for each service: `{ name, outcome, ms, facts, differences }`
 */
export async function runCanary(lib, { env, only, query, videoId, send = fetch }) {
  const wanted = ({ name }) => only === undefined || only.some((one) => `${name} `.startsWith(`${one} `));
  const services = [...searchServices(lib, env, query), ...transcriptServices(lib, env, videoId)].filter(
    wanted,
  );
  const reports = [];
  for (const service of services) reports.push(await ask(lib, service, send));
  return reports;
}

function searchServices({ ENVIRONMENT_PROVIDERS, providersFromEnvironment }, env, query) {
  return ENVIRONMENT_PROVIDERS.map((name) => {
    try {
      const [provider] = providersFromEnvironment({ ...env, SEARCH_PROVIDERS: name });
      const keyless = hasFixture(`search/${name}-keyless`) && /without a key/.test(provider.notice ?? '');
      return {
        name: keyless ? `${name} (without a key)` : name,
        documented: {
          '': fixture(`search/${keyless ? `${name}-keyless` : name}`).cases.success.response.body,
        },
        ask: (context) => provider.search({ text: query, count: 5 }, context),
        facts: ({ hits }) =>
          `${hits.length} results, ${hits.filter(({ passages }) => passages?.length).length} with passages, ` +
          `${hits.filter(({ publishedAt }) => publishedAt).length} with a date`,
      };
    } catch (error) {
      return { name, skipped: error.message };
    }
  });
}

function transcriptServices(lib, env, videoId) {
  const { innertubeTranscripts, youtubeiTranscripts, ytDlpTranscripts, supadataTranscripts } = lib;
  const innertube = documentedByPath('youtube/innertube');
  const withKey = (variable, make) =>
    env[variable] ? make(env[variable]) : { skipped: `set ${variable} to ask it` };
  const of = (provider, documented) => ({
    documented,
    ask: (context) =>
      provider.fetchTranscript(
        videoId,
        { languages: ['en'] },
        { ...context, requestTimeoutMs: HOP_MS, attempt: () => {} },
      ),
    facts: ({ segments, language, captions, chapters, storyboard }) =>
      `${segments.length} lines, ${language}, ${captions}, ${chapters.length} chapters, ${storyboard ? 'a storyboard' : 'no storyboard'}`,
  });
  return [
    ...[...lib.INNERTUBE_CLIENTS, lib.WEB_CLIENT].map((client) => ({
      name: `innertube ${client.name} ${client.version}`,
      ...of(innertubeTranscripts({ clients: [client] }), innertube),
    })),
    { name: 'youtubei', ...of(youtubeiTranscripts(), innertube) },
    { name: 'yt-dlp', ...of(ytDlpTranscripts(), {}) },
    {
      name: 'supadata',
      ...withKey('SUPADATA_API_KEY', (apiKey) =>
        of(supadataTranscripts({ apiKey }), documentedByPath('youtube/supadata')),
      ),
    },
  ];
}

async function ask(lib, { name, skipped, documented, ask, facts }, send) {
  if (skipped) return { name, outcome: NOT_ASKED, facts: skipped, differences: [] };
  const answers = [];
  const globalFetch = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const response = await send(url, init);
    const copy = response.clone();
    answers.push({
      path: new URL(String(url)).pathname,
      status: response.status,
      text: copy.text().catch(() => ''),
    });
    return response;
  };
  const since = performance.now();
  let outcome = 'ok';
  let said;
  try {
    said = facts(await lib.withContext(DEADLINE_MS, {}, ask));
  } catch (error) {
    const isMissing = error.code === 'not_configured' || error.name === 'MissingPeerError';
    outcome = isMissing ? NOT_ASKED : (error.kind ?? error.details?.reason ?? error.code ?? error.name);
    // Messages of the library never contain a key or an address.
    said = [error.message, error.details?.upstream_message, lib.upstreamFaults(error)]
      .filter(Boolean)
      .join(' | ');
  } finally {
    globalThis.fetch = globalFetch;
  }
  const ms = Math.round(performance.now() - since);
  const differences = [];
  for (const { path, status, text } of answers) {
    const known = documented[path] ?? documented[''];
    differences.push(...differencesOf(known, path, status, await text));
  }
  return { name, outcome, ms, facts: said, differences };
}

function differencesOf(known, path, status, text) {
  const lines = [];
  if (status !== 200) lines.push(`HTTP ${status} at ${path}`);
  const live = parsed(text);
  if (live === undefined) return [...lines, `! ${path}: ${text.length} characters that are not JSON`];
  return known === undefined || status !== 200 ? lines : [...lines, ...shapeDifferences(known, live)];
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Outcomes that say nothing about the shape: this address or key has reached a limit. */
const LIMITED = new Set(['rate_limited', 'quota', 'captcha', 'bot_check', 'consent']);

/** True when a service that was asked failed, or answered in another shape. A limit is no failure. */
export function hasFailed(reports) {
  return reports.some(({ outcome, differences }) =>
    outcome === 'ok' ? differences.length > 0 : outcome !== NOT_ASKED && !LIMITED.has(outcome),
  );
}

/** The rows of the table of outside services in `docs/compatibility.md`: cells, and the name of the service as in a report. */
export function documentedServices() {
  const page = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8');
  return page
    .split(/^#{2,3} /m)
    .find((section) => section.startsWith('Outside services\n'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map((cells) => ({ cells, name: cells[0].replaceAll('`', '') }));
}

/** The rows of the services that were asked, with today's outcome as the last cell. The clients of InnerTube share one row. */
function rowsOf(reports, date) {
  const asked = reports.filter(({ outcome }) => outcome !== NOT_ASKED);
  return documentedServices().flatMap(({ cells: [service, from, day], name }) => {
    const own = asked.filter((report) => report.name === name || report.name.startsWith(`${name} `));
    const outcomes = own
      .filter((report) => report.name === name || !report.name.endsWith('(without a key)'))
      .map(({ name: full, outcome, differences }) => {
        const client = full.slice(name.length).trim().split(' ')[0];
        const said = differences.length > 0 ? `${outcome}, ${differences.length} differences` : outcome;
        return client ? `${client} ${said}` : said;
      });
    return outcomes.length > 0 ? [`| ${service} | ${from} | ${day} | ${date}: ${outcomes.join('; ')} |`] : [];
  });
}

/** The reports as Markdown, to be pasted as they are. */
export function asMarkdown(reports, { version, date }) {
  const lines = [
    `## canary of nestjs-tools ${version}, ${date}, Node ${process.versions.node}`,
    '',
    '| service | written from | read on | tried live |',
    '| --- | --- | --- | --- |',
    ...rowsOf(reports, date),
    '',
  ];
  for (const { name, outcome, ms, facts, differences } of reports) {
    lines.push(`### ${name}: ${outcome}${ms === undefined ? '' : ` (${ms} ms)`}`, '', facts, '');
    if (differences.length > 0) lines.push('```diff', ...differences, '```', '');
  }
  return lines.join('\n');
}

function documentedByPath(name) {
  const { responses } = fixture(name).cases.success;
  return Object.fromEntries(Object.entries(responses).map(([path, { body }]) => [path, body]));
}

function hasFixture(name) {
  try {
    return Boolean(fixture(name));
  } catch {
    return false;
  }
}

function fixture(name) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'));
}
