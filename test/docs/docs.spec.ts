import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { context, trace } from '@opentelemetry/api';
import openapiTS, { astToString } from 'openapi-typescript';
import { createApp } from '../../sample-app/create-app.js';
import { readSettings } from '../../sample-app/settings.js';
import { InvalidOptionError } from '../../lib/core/errors.js';
import { resolveModelOptions } from '../../lib/model/options.js';
import { resolveOptions } from '../../lib/tools.options.js';
import { closeHosts, listen } from '../support/host.js';
import { IMPLIED_MODULES, moduleOfBlock, REGISTRATION } from './block-module.js';
import { blocksOf, documentationPages, type MarkdownBlock } from './markdown-blocks.js';
import { complaintsAbout, exportedNames, programOf } from './typecheck.js';

const ROOT = process.cwd();
const SAMPLE_URL = 'http://127.0.0.1:3000';
const run = promisify(execFile);
const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

const pages = documentationPages(ROOT);
const blocks = pages.flatMap((page) => blocksOf(ROOT, page));
const named = (choose: (block: MarkdownBlock) => boolean): [string, MarkdownBlock][] =>
  blocks.filter(choose).map((block) => [block.place, block]);

/** Names of the options in a group such as `search.`, as the message about an unknown one lists them. */
function optionsBelow(group: string): string[] {
  const path = group.split('.').filter(Boolean);
  const given = path.reduceRight<object>((inner, name) => ({ [name]: inner }), { unknown: 1 });
  try {
    if (group === 'modelOptions.') resolveModelOptions({ unknown: 1 } as never);
    else resolveOptions(given as never);
  } catch (error) {
    return /Known options: (.*)$/.exec((error as InvalidOptionError).message)![1]!.split(', ');
  }
  throw new Error(`an unknown option below ${JSON.stringify(group)} was accepted`);
}

/** Anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documentation', () => {
  let folder: string;
  let app: INestApplication;
  let url: string;
  const fileOf = (block: MarkdownBlock): string => join(folder, `${block.place.replace(/\W+/g, '-')}.ts`);

  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, 'test/docs/.blocks-'));
    app = await createApp(await readSettings({ YOUTUBE: 'off' }), { logger: false });
    ({ url } = await listen(app));
  });
  afterAll(async () => {
    await closeHosts();
    await rm(folder, { recursive: true, force: true });
  });

  describe('its TypeScript', () => {
    const typescript = named(({ language }) => language === 'ts');

    // A block may register an exporter, which must not go on beyond it.
    afterEach(() => {
      trace.disable();
      context.disable();
    });

    let names: ReturnType<typeof exportedNames>;

    beforeAll(async () => {
      // Types of the interface as the recipe for clients makes them.
      const api = await openapiTS(await readFile(join(ROOT, 'openapi.json'), 'utf8'), {
        defaultNonNullable: false,
      });
      await writeFile(join(folder, 'tools-api.ts'), astToString(api));
      const implied = join(folder, 'implied.ts');
      const lines = IMPLIED_MODULES.map((module, index) => `export * as m${index} from '${module}';`);
      await writeFile(implied, lines.join('\n'));
      names = exportedNames(programOf(ROOT, [implied]), implied);
      for (const [, block] of typescript)
        await writeFile(
          fileOf(block),
          moduleOfBlock(block.text, (module) => names.get(module)!),
        );
    });

    it('names everything that the package exports', () => {
      const words = new Set(
        pages.flatMap((page) => readFileSync(join(ROOT, page), 'utf8').match(/\w+/g) ?? []),
      );
      const exported = [...names]
        .filter(([module]) => module.startsWith('nestjs-tools'))
        .flatMap(([, all]) => [...all]);
      expect(exported.length).toBeGreaterThan(100);
      expect(exported.filter((name) => !words.has(name))).toEqual([]);
    });

    it('compiles', () => {
      const program = programOf(
        ROOT,
        typescript.map(([, block]) => fileOf(block)),
      );
      const wrong = typescript.flatMap(([place, block]) =>
        complaintsAbout(program, fileOf(block)).map((complaint) => `${place} ${complaint}`),
      );
      expect(wrong).toEqual([]);
    });

    it.each(typescript)('runs: %s', async (_place, block) => {
      Object.assign(globalThis, { app });
      process.env.TOOLS_API_KEY = 'demo-key';
      process.env.SUPADATA_API_KEY = 'demo-key';
      const file = fileOf(block);
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll(SAMPLE_URL, url));
      const exported = (await import(file)) as Record<string, unknown>;
      await Promise.all((exported.checks as unknown[] | undefined) ?? []);
      const registrations = Object.keys(exported)
        .filter((name) => name === 'AppModule' || name.startsWith(REGISTRATION))
        .map((name) => exported[name] as DynamicModule);
      for (const registration of registrations) {
        @Module({ imports: [registration] })
        class Host {}
        const host = await Test.createTestingModule({ imports: [Host] })
          .setLogger(false as never)
          .compile();
        await host.close();
      }
    });
  });

  describe('its commands', () => {
    const curls = named(({ language, text }) => language === 'sh' && /^curl /m.test(text));
    const python = named(({ language }) => language === 'python');

    // The tests need nothing but Node; what shows another program is run where that program is.
    (isInstalled('bash') && isInstalled('curl') ? it.each(curls) : it.skip.each(curls))(
      'answers the curls of %s',
      async (_place, { text }) => {
        const commands = text
          .replaceAll('\\\n', ' ')
          .split('\n')
          .filter((line) => line.startsWith('curl '));
        for (const command of commands) {
          const { stdout } = await run('bash', [
            '-c',
            command.replaceAll(SAMPLE_URL, url).replace(/^curl /, 'curl --max-time 20 --fail-with-body '),
          ]);
          expect(stdout).toMatch(/"request_id":"[^"]+"/);
        }
      },
    );

    (isInstalled('python3') ? it.each(python) : it.skip.each(python))(
      'runs the Python of %s',
      async (_place, { text }) => {
        const env = { ...process.env, TOOLS_API_KEY: 'demo-key' };
        const { stdout } = await run('python3', ['-c', text.replaceAll(SAMPLE_URL, url)], { env });
        expect(stdout.trim()).not.toBe('');
      },
    );
  });

  it('links only to files and headings that exist', async () => {
    const broken: string[] = [];
    for (const page of pages) {
      const text = await readFile(join(ROOT, page), 'utf8');
      for (const [, target, heading] of text.matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)) {
        const file = target ? join(ROOT, dirname(page), target) : join(ROOT, page);
        if (!existsSync(file)) broken.push(`${page}: ${target}`);
        else if (heading && !anchorsOf(await readFile(file, 'utf8')).includes(heading))
          broken.push(`${page}: ${target}#${heading}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it.each([
    '',
    'summarize.',
    'search.',
    'youtube.',
    'limits.',
    'limits.concurrency.',
    'hooks.',
    'shutdown.',
    'modelOptions.',
  ])('names every option below "%s"', async (group) => {
    const page = await readFile(join(ROOT, 'docs/options.md'), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const missing = optionsBelow(group).filter(
      (option) =>
        !rows.some((row) => new RegExp(`\`${group === 'modelOptions.' ? '' : group}${option}\\b`).test(row)),
    );
    expect(missing).toEqual([]);
  });

  describe('its names of models', () => {
    const NAME =
      /\b(?:gpt-\d[\w.-]*|o\d-[a-z]+|claude-(?:sonnet|opus|haiku)-[\w.-]+|gemini-\d[\w.-]*|text-embedding-[\w-]+|rerank-v[\w.-]+|qwen\d[\w.]*:\w+|gpt-transcribe|whisper-(?:\d|large)[\w-]*)\b/g;
    let table: Map<string, string>;
    beforeAll(async () => {
      const page = await readFile(join(ROOT, 'docs/models.md'), 'utf8');
      const rows = page.split('## Names in these pages')[1]!.split('\n## ')[0]!;
      const cells = [...rows.matchAll(/^\| `([^`]+)` +\| [^|]+ \| ([^|]+) \|/gm)];
      table = new Map(cells.map(([, name, end]) => [name!, end!.trim()]));
    });

    it('are all in the table of docs/models.md, and in no message of the code', async () => {
      const named = new Set<string>();
      for (const page of pages)
        for (const [name] of (await readFile(join(ROOT, page), 'utf8')).matchAll(NAME)) named.add(name);
      expect([...named].sort()).toEqual([...table.keys()].sort());
      const { stdout } = await run('git', [
        'grep',
        '-hoE',
        'gpt-[0-9][a-z0-9.-]+|claude-(sonnet|opus|haiku)-[0-9a-z.-]+|gemini-[0-9][a-z0-9.-]+',
        '--',
        'lib',
      ]).catch(({ stdout }: { stdout: string }) => ({ stdout }));
      expect(stdout).toBe('');
    });

    it('belong to models that are not switched off within 60 days', () => {
      const inTwoMonths = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
      for (const [name, end] of table) {
        expect([name, end]).toEqual([
          name,
          expect.stringMatching(/^(?:not announced|never|\d{4}-\d\d-\d\d)$/),
        ]);
        if (/^\d/.test(end))
          expect({ name, end, isOver: end <= inTwoMonths }).toMatchObject({ isOver: false });
      }
    });
  });

  it('tells to run only scripts that exist', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const benches = await readdir(join(ROOT, 'bench'));
    const checks = await readFile(join(ROOT, 'test/checks.mjs'), 'utf8');
    for (const page of pages) {
      const text = await readFile(join(ROOT, page), 'utf8');
      for (const [command, script, name] of text.matchAll(/\bnpm run ([\w:-]+)(?: -- ([a-z][\w-]*))?/g)) {
        expect([page, script, Object.keys(scripts)]).toEqual([
          page,
          script,
          expect.arrayContaining([script]),
        ]);
        if (script === 'bench')
          expect([page, command, benches]).toEqual([page, command, expect.arrayContaining([`${name}.mjs`])]);
        if (script === 'check')
          expect([page, command, checks]).toEqual([page, command, expect.stringContaining(`\n  ${name}: [`)]);
      }
    }
  });
});
