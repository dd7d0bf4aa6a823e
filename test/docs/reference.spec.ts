import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VIDEO_FAILURES } from '../../lib/content/youtube/video-failure.js';
import { ERROR_CODES } from '../../lib/core/errors.js';
import { TOOLS } from '../../lib/tools/tools.js';

const ROOT = process.cwd();
const page = readFileSync(join(ROOT, 'docs/reference.md'), 'utf8');

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: string[];
  default?: unknown;
}
const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

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

const resolved = (schema: Schema): Schema => {
  const [only] = schema.allOf ?? [];
  const { $ref } = only ?? schema;
  return $ref ? document.components.schemas[$ref.split('/').at(-1)!]! : schema;
};

/** Every field of a schema with its type, in the form in which the page writes it. */
function fieldsOf(schema: Schema, prefix = ''): [string, string][] {
  return Object.entries(resolved(schema).properties ?? {}).flatMap(([name, field]) => {
    const { type, items } = resolved(field);
    const optional = resolved(schema).required?.includes(name) ? '' : ', optional';
    const path = `${prefix}${name}`;
    const below = items ? fieldsOf(items, `${path}[].`) : fieldsOf(field, `${path}.`);
    return [[path, `${type}${optional}`], ...below];
  });
}
const byName = (a: readonly string[], b: readonly string[]): number => (a[0]! < b[0]! ? -1 : 1);

/** Everything in `lib` that ends in `.ts`. */
const sources = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(ROOT, 'lib', file), 'utf8'))
  .join('\n');

describe('docs/reference.md', () => {
  it.each([
    ['A summary', 'SummarizeContentResponseDto'],
    ['Results or an answer', 'SearchWebResponseDto'],
    ['A page', 'ReadPageResponseDto'],
    ['An answer from a video', 'AskVideoResponseDto'],
    ['A list of videos', 'ListVideosResponseDto'],
  ])('%s: has every field with its type, and no other', (heading, schema) => {
    const rows = rowsBelow(heading).map(([name, type]) => [code(name!), type!]);
    expect(rows.sort(byName)).toEqual(fieldsOf(document.components.schemas[schema]!).sort(byName));
  });

  it.each(TOOLS)('$name: has every field of the request with its type, default and values', (tool) => {
    const heading = tool.name;
    const schema = document.components.schemas[tool.request.name]!;
    const rows = rowsBelow(heading);
    expect(rows.map(([field]) => code(field!)).sort()).toEqual(Object.keys(schema.properties!).sort());
    for (const [field, type, standard, accepted] of rows) {
      const described = schema.properties![code(field!)]!;
      expect(type).toBe(described.type ?? described.oneOf?.map((one) => one.type).join(' or '));
      if (schema.required?.includes(code(field!))) expect(standard).toBe('required');
      else if (described.default !== undefined)
        expect(standard).toBe(`\`${JSON.stringify(described.default)}\``);
      for (const value of described.enum ?? []) expect(accepted).toContain(`\`${value}\``);
    }
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
