import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VIDEO_FAILURES } from '../../lib/content/youtube/video-failure.js';
import { ERROR_CODES } from '../../lib/core/errors.js';
import { TOOLS } from '../../lib/tools/tools.js';
import { withTables } from './tables.mjs';

const ROOT = process.cwd();
const page = readFileSync(join(ROOT, 'docs/reference.md'), 'utf8');

/** The rows of the table below a heading, without its head; each cell trimmed. */
function rowsBelow(heading: string, of = page): string[][] {
  const section = of.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`));
  const lines = section!.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const code = (cell: string): string => /^`([^`]+)`/.exec(cell)![1]!;

/** Everything in `lib` that ends in `.ts`. */
const sources = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(ROOT, 'lib', file), 'utf8'))
  .join('\n');

it.each(['docs/reference.md', 'docs/options.md'])(
  '%s has the tables that `npm run openapi` writes',
  async (file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(await withTables(text)).toBe(text);
  },
);

describe('docs/reference.md', () => {
  it.each(TOOLS)('has the tables of $name', ({ name, request }) => {
    expect(page).toContain(`### ${name}\n`);
    expect(page).toContain(`<!-- request ${request.name} -->`);
    expect(page).toContain(`<!-- response ${request.name.replace(/Dto$/, 'ResponseDto')} -->`);
  });

  it('has every error code with its status and whether to retry', () => {
    const rows = rowsBelow('Errors').map(([status, name, retry]) => [code(name!), Number(status), retry]);
    const expected = Object.entries(ERROR_CODES).map(([name, { status, retry }]) => [
      name,
      status,
      retry ? 'yes' : 'no',
    ]);
    expect(rows).toEqual(expected);
  });

  it('has every warning code', () => {
    const inObjects = [...sources.matchAll(/\bcode: ((?:'\w+'(?: \| )?)+)[,;]\s*message\b/g)];
    const constants = [...sources.matchAll(/\bconst code = ('\w+');/g)];
    const found = [...inObjects, ...constants].flatMap(([, names]) => names!.match(/\w+/g)!);
    const warnings = new Set(found.filter((name) => !(name in ERROR_CODES)));
    expect(warnings.size).toBeGreaterThan(15);
    expect(
      rowsBelow('Warnings')
        .map(([name]) => code(name!))
        .sort(),
    ).toEqual([...warnings].sort());
  });

  it('has every stage of the event stream', () => {
    const stages = [...sources.matchAll(/\bprogress\(\{\s*stage: '(\w+)'/g)].map(([, stage]) => stage!);
    expect(stages.length).toBeGreaterThan(8);
    const paragraphs = page.slice(page.indexOf('## Event streams'));
    for (const stage of new Set(stages)) expect(paragraphs).toContain(`\`${stage}\``);
  });
});

it('docs/videos.md has every reason of a failure', () => {
  const videos = readFileSync(join(ROOT, 'docs/videos.md'), 'utf8');
  const rows = rowsBelow('Reasons of a failure', videos).map(([reason, status, message]) => [
    code(reason!),
    status,
    message,
  ]);
  const expected = Object.entries(VIDEO_FAILURES).map(([reason, { code: of, message }]) => [
    reason,
    `${ERROR_CODES[of].status} \`${of}\``,
    message,
  ]);
  expect(rows).toEqual(expected);
});

it('docs/production.md has every field of a usage event', () => {
  const production = readFileSync(join(ROOT, 'docs/production.md'), 'utf8');
  const rows = rowsBelow('Usage and billing', production).map(([field]) => code(field!));
  const types = readFileSync(join(ROOT, 'lib/core/request-event.ts'), 'utf8');
  const [facts, event] = types.split('export interface RequestEvent');
  const members = (text: string): string[] => [...text.matchAll(/^  (\w+)\??: /gm)].map(([, name]) => name!);
  const own = event!.slice(0, event!.indexOf('\n}'));
  const shared = facts!.slice(facts!.indexOf('export interface WorkFacts'));
  expect(rows.sort()).toEqual([...members(shared), ...members(own)].sort());
});
