/**
 * Checks that `npm test` leaves out: they are long, or they need programs or the npm registry.
 *
 *     npm run check -- KIND [arguments]      without a kind: the kinds
 */
import { spawnSync } from 'node:child_process';

const JEST = [
  'node',
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const BUILD = ['npm', 'run', '--silent', 'build'];
const BUILD_APP = ['npm', 'run', '--silent', 'build:app'];

/** For each kind its commands; the arguments are added to the last one. */
const KINDS = {
  /** Hostile requests and misbehaving upstreams, over real sockets; readers of texts take linear time. */
  abuse: [[...JEST, '--testRegex', 'abuse-spec', '--maxWorkers=1']],
  /** The longest time that hostile or very large input holds the event loop. */
  blocking: [BUILD, ['node', 'test/blocking/run.mjs']],
  /** The sample app's page and Swagger UI in Chromium. */
  browser: [
    BUILD_APP,
    [
      'node',
      '--test',
      '--test-concurrency=1',
      ...['page', 'swagger', 'own-document'].map((name) => `test/browser/${name}.browser-spec.mjs`),
    ],
  ],
  /** Surprising behaviour of other packages. */
  findings: [['bash', 'findings/lib/run.sh']],
  /** The packed package in seven apps. */
  hosts: [['node', 'test/hosts/run.mjs']],
  /** The conformance suite, the Inspector and real clients of MCP. */
  mcp: [BUILD, ['node', 'test/mcp-clients/run.mjs']],
  /** The OpenAPI document: written anew, and checked by Redocly. */
  openapi: [
    ['npm', 'run', '--silent', 'openapi'],
    ['npx', 'redocly', 'lint', 'openapi.json'],
  ],
  /** Ten thousand hostile texts through every output, rendered as Markdown and HTML. */
  output: [
    [
      ...JEST,
      'test/text/sanitize-output',
      'test/agents/agent-results',
      'test/http/harmless',
      'test/http/page-text',
    ],
  ],
  postgres: [BUILD, ['node', 'test/postgres/run.mjs']],
  /** Every property two thousand times. */
  properties: [
    ['bash', '-c', `${JEST.join(' ')} $(grep -rl fast-check test --include=*spec.ts) "$@"`, 'jest'],
  ],
  redis: [BUILD, ['node', 'test/redis/run.mjs']],
  /** Takes the pictures of the README. */
  screenshots: [BUILD_APP, ['node', 'test/browser/screenshots.mjs']],
  searx: [BUILD, ['node', 'test/searx/run.mjs']],
  speech: [BUILD, [...JEST, '--testRegex', '\\.speech-spec\\.ts$', '--maxWorkers=1']],
};
const SETTINGS = { output: { CLEANER_RUNS: '10000' }, properties: { PROPERTY_RUNS: '2000' } };

const [kind, ...options] = process.argv.slice(2);
const commands = Object.hasOwn(KINDS, kind ?? '') ? KINDS[kind] : undefined;
if (!commands) {
  console.error(`npm run check -- KIND [arguments]\nKIND is one of: ${Object.keys(KINDS).join(', ')}`);
  process.exit(2);
}
commands.forEach(([program, ...parts], i) => {
  const all = i === commands.length - 1 ? [...parts, ...options] : parts;
  const { status } = spawnSync(program === 'node' ? process.execPath : program, all, {
    stdio: 'inherit',
    env: { ...process.env, ...SETTINGS[kind] },
  });
  if (status !== 0) process.exit(status ?? 1);
});
