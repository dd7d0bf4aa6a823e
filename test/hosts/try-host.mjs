import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL('./src/', import.meta.url));
const DOCUMENT = new URL('../../openapi.json', import.meta.url);
const TESTING_PAGE = new URL('../../docs/hosts.md', import.meta.url);
const PRODUCTION_PAGE = new URL('../../docs/production.md', import.meta.url);
/** What docs/production.md leaves to its reader. */
const PRODUCTION_FILES = {
  'app.module.ts': `
    import { Module } from '@nestjs/common';
    import { AppModule as ToolsAppModule } from '../app.module.js';
    import { LoggingModule } from './logging.module.js';
    @Module({ imports: [LoggingModule, ToolsAppModule] })
    export class AppModule {}`,
  'run.ts': `
    import 'reflect-metadata';
    import { app as started } from './main.js';
    void started.then(async (app) => {
      process.stdout.write(JSON.stringify({ url: await app.getUrl() }) + '\\n');
      process.stdin.resume().once('end', () => void app.close());
    });`,
};
const PATIENCE_MS = 120_000;

/** Runs a program; what it printed is in the error when it fails. */
export async function runIn(cwd, command, ...args) {
  try {
    return (await run(command, args, { cwd, maxBuffer: 1 << 26 })).stdout;
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? ''}`, {
      cause: error,
    });
  }
}

/**
 * Makes a host in `folder`, installs the packed package into it, compiles it, starts it, asks it, and stops it.
 * @returns what was seen, one entry a column of the table
 */
export async function tryHost(host, folder, tarball) {
  const { main, esm, jest, vitest, jestOnNode, production, withoutAi, withoutValidator, dependencies } = host;
  await writeHost(folder, host, tarball);
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await runIn(folder, 'npm', ...install);
  const typescript = (await runIn(folder, 'npx', '--no-install', 'tsc', '--version')).trim().split(' ').pop();
  await typecheckDeclarations(folder);
  await runIn(folder, 'npx', '--no-install', 'tsc', '--skipLibCheck');
  const seen = await askHost(folder, main, esm, '@modelcontextprotocol/server' in dependencies);
  if (jest) await runIn(folder, 'npx', '--no-install', 'jest', '--rootDir=out', '--ci');
  if (vitest) await runIn(folder, 'npx', '--no-install', 'vitest', 'run', 'out/app.test.js');
  if (jestOnNode) await runJestOnNode(folder, jestOnNode);
  if (production) await askProduction(folder);
  if (withoutAi)
    assert.match(
      await runIn(folder, process.execPath, 'out/without-ai.js'),
      /needs the optional package `ai`: npm install ai$/,
    );
  if (withoutValidator) {
    await rm(join(folder, 'node_modules/class-validator'), { recursive: true });
    await assert.rejects(
      runIn(folder, process.execPath, '--eval', "require('nestjs-tools')"),
      /Error: nestjs-tools needs the package `class-validator`: npm install class-validator$/m,
    );
  }
  return {
    typescript,
    ...seen,
    tests: [jest && 'jest', vitest && 'vitest', jestOnNode && 'jest on Node 24'].filter(Boolean).join(', '),
    pino: production ? 'ok' : '',
  };
}

async function writeHost(folder, { main, esm, jest, vitest, production, withoutAi, dependencies }, tarball) {
  await mkdir(join(folder, 'src'), { recursive: true });
  const files = [`${main}.ts`, 'app.module.ts', 'run-host.ts'];
  if (main !== 'without-swagger') files.push('document-of-tools.ts');
  if (jest) files.push('app.test.ts');
  if (withoutAi) files.push('without-ai.ts');
  for (const file of files) await cp(join(SOURCES, file), join(folder, 'src', file));
  if (vitest) {
    const test = await readFile(join(SOURCES, 'app.test.ts'), 'utf8');
    const adapted = test
      .replace("'@jest/globals'", "'vitest'")
      .replace("'./app.module'", "'./app.module.js'");
    await writeFile(join(folder, 'src/app.test.ts'), adapted);
  }
  if (production) {
    await mkdir(join(folder, 'src/production'));
    const page = await readFile(PRODUCTION_PAGE, 'utf8');
    const [main, logging] = [...page.matchAll(/^```typescript\n(.*?)^```/gms)].map(([, code]) => code);
    const files = { 'main.ts': main, 'logging.module.ts': logging, ...PRODUCTION_FILES };
    for (const [file, code] of Object.entries(files))
      await writeFile(join(folder, 'src/production', file), code);
  }
  const manifest = {
    name: 'host',
    private: true,
    type: esm ? 'module' : 'commonjs',
    dependencies: { ...dependencies, 'nestjs-tools': `file:${tarball}` },
  };
  const resolution = esm
    ? { module: 'nodenext', moduleResolution: 'nodenext' }
    : { module: 'commonjs', moduleResolution: 'node' };
  const tsconfig = {
    compilerOptions: {
      target: 'ES2022',
      ...resolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      types: ['node'],
      // As `nest new` has it, and as pino's types need it.
      ...(production ? { esModuleInterop: true } : {}),
      rootDir: 'src',
      outDir: 'out',
    },
    include: ['src'],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig, null, 2));
}

/** Jest of an ES module host on another Node, with the setup file of docs/hosts.md. */
async function runJestOnNode(folder, nodePackage) {
  const page = await readFile(TESTING_PAGE, 'utf8');
  const setup = /^```js\n(\/\/ nest\.setup\.mjs\n.*?)^```/ms.exec(page)[1];
  await writeFile(join(folder, 'out/nest.setup.mjs'), setup);
  const test = await readFile(join(folder, 'out/app.test.js'), 'utf8');
  await writeFile(join(folder, 'out/app.jest.js'), test.replace("'vitest'", "'@jest/globals'"));
  const node = join(folder, 'node_modules', nodePackage, 'bin/node');
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--rootDir=out', '--ci'];
  await runIn(folder, node, ...jest, '--setupFiles=./nest.setup.mjs', '--testRegex=app.jest.js$');
}

/** Looks into every declaration file, and holds those of the package to account; other packages' are theirs. */
async function typecheckDeclarations(folder) {
  const output = await runIn(
    folder,
    'npx',
    '--no-install',
    'tsc',
    '--noEmit',
    '--skipLibCheck',
    'false',
  ).catch((error) => error.message);
  const ours = output.split('\n').filter((line) => /^(src|node_modules\/nestjs-tools)\//.test(line));
  assert.deepEqual(ours, [], 'type errors in the host or in our declarations');
}

/** Runs a program of the host while `ask` asks it, and holds it to ending by itself. Returns what `ask` gave, and what was printed. */
async function withProgram(folder, flags, file, ask) {
  const host = spawn(process.execPath, [...flags, file], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', PORT: '0' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const kill = setTimeout(() => host.kill('SIGKILL'), PATIENCE_MS);
  const exit = once(host, 'exit');
  const printed = [];
  let complaints = '';
  host.stderr.on('data', (data) => (complaints += data));
  try {
    const lines = createInterface({ input: host.stdout });
    const started = new Promise((resolve) => {
      lines.on('line', (line) => {
        printed.push(line);
        if (line.startsWith('{"url":')) resolve(JSON.parse(line));
      });
      lines.on('close', resolve);
    });
    const about = await started;
    assert.ok(about, `the host did not start\n${printed.join('\n')}\n${complaints}`);
    const seen = await ask(about);
    host.stdin.end();
    const [code] = await exit;
    assert.equal(code, 0, `the host did not end by itself when it was closed\n${complaints}`);
    assert.equal(complaints, '');
    return { seen, printed: printed.join('\n') };
  } finally {
    clearTimeout(kill);
    host.kill('SIGKILL');
  }
}

async function askHost(folder, main, esm, hasMcp) {
  // Nest 10 and 11 are CommonJS through and through: there the package must load without Node's `require` of ES modules.
  const flags = esm ? [] : ['--no-experimental-require-module'];
  const { seen, printed } = await withProgram(
    folder,
    flags,
    `out/${main}.js`,
    async ({ url, bootMs, document }) => {
      if (main === 'without-swagger') assert.equal(document, undefined);
      else assert.deepEqual(document, await expectedDocument(document.schemas));
      return {
        boot: `${bootMs} ms`,
        ...(await askTools(url, main !== 'without-swagger')),
        ...(await askOthers(url)),
        mcp: hasMcp ? await askMcp(url) : 'not installed',
        document: document ? 'ok' : 'none',
      };
    },
  );
  checkLines(printed);
  if (!hasMcp) assert.match(printed, /WARN .* needs the optional package `@modelcontextprotocol\/server`/);
  return { ...seen, 'log lines': 'ok' };
}

/** The host's logger, whichever it is, has a line for each request. */
function checkLines(printed) {
  assert.match(printed, /summarize_content 200 ok \d+ ms request_id=\S+ key=key-1/);
  assert.match(printed, /search_web 200 ok \d+ ms request_id=\S+ key=key-1/);
  assert.match(printed, /search_web 401 missing_api_key \d+ ms request_id=/);
  assert.match(printed, /search_web 400 invalid_request \d+ ms request_id=/);
}

/** The host of docs/production.md: pino, helmet and CORS. */
async function askProduction(folder) {
  let id;
  const { printed } = await withProgram(folder, [], 'out/production/run.js', async ({ url }) => {
    await askTools(url, undefined);
    const response = await fetch(`${url}/v1/tools/search_web`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer host-key' },
      body: JSON.stringify({ query: 'coral' }),
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('access-control-expose-headers'), /X-Should-Retry/);
    id = response.headers.get('x-request-id');
  });
  checkLines(printed);
  const lines = printed.split('\n').map((line) => JSON.parse(line));
  assert.ok(
    lines.some(({ req, res }) => req?.id === id && res),
    "pino's own line has our id",
  );
  const ours = lines.find(({ request_id: own, tool }) => own === id && tool);
  assert.deepEqual([ours?.tool, ours?.status, ours?.outcome, ours?.key], ['search_web', 200, 'ok', 'key-1']);
  assert.match(printed, /"x-api-key":"\[Redacted\]"/);
  assert.doesNotMatch(printed, /host-key/);
}

/** The same of the document in the repository: whichever version of `@nestjs/swagger` makes it, it says the same of the tools that are on. */
async function expectedDocument(schemas) {
  const { paths, components } = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  const on = ['/v1/tools/summarize_content', '/v1/tools/search_web'];
  return {
    paths: Object.fromEntries(on.map((path) => [path, paths[path]])),
    schemas: Object.fromEntries(Object.keys(schemas).map((name) => [name, components.schemas[name]])),
    key: components.securitySchemes.ApiKeyAuth,
    securityBehindOwnGuard: [{ bearer: [] }],
  };
}

async function askTools(url, hasOwnPipe) {
  const ask = async (tool, body, key) => {
    const response = await fetch(`${url}/v1/tools/${tool}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key ? { 'X-API-Key': key } : {}) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  const summary = await ask('summarize_content', { content_id: 'dQw4w9WgXcQ' }, 'host-key');
  assert.equal(summary.status, 200, JSON.stringify(summary.body));
  assert.match(summary.body.data.summary, /polyp/);
  const search = await ask(
    'search_web',
    { query: 'What are coral reefs built by?', llm_answer: true },
    'host-key',
  );
  assert.equal(search.status, 200, JSON.stringify(search.body));
  assert.match(search.body.data.llm.answer, /polyps.*\[1\]/s);
  const refused = await ask('search_web', { query: 'coral' });
  assert.equal(refused.status, 401);
  assert.equal(refused.body.code, 'missing_api_key');
  // The host's pipe would make 5 of "5", and drop or refuse what it does not know in its own words.
  const converted = await ask('search_web', { query: 'coral', top_n: '5', topn: 1 }, 'host-key');
  assert.equal(converted.status, 400);
  assert.equal(converted.body.code, 'invalid_request');
  assert.deepEqual(converted.body.details.map(({ field }) => field).sort(), ['top_n', 'topn']);
  const own = await (await fetch(`${url}/own?page=5`)).json();
  assert.deepEqual(own, { type: hasOwnPipe ? 'number' : 'string' }, "the host's own pipe");
  return { summarize: '200', search: '200', 'no key': '401', 'bad body': '400' };
}

/** The host's guards and filters beside ours. */
async function askOthers(url) {
  const ask = async (path, init = {}) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': 'host-key' },
      body: JSON.stringify({ query: 'coral' }),
      ...init,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const session = await ask('/session/tools/search_web');
  assert.deepEqual([session.status, session.body.code], [401, 'unauthorized']);
  assert.equal(session.headers.get('www-authenticate'), 'Bearer realm="tools"');
  const staff = await ask('/staff/tools/search_web');
  assert.deepEqual([staff.status, staff.body.message], [401, 'Please log in']);
  const conflict = await ask('/own/conflict', { method: 'GET', body: undefined });
  assert.deepEqual([conflict.status, conflict.body], [409, { message: 'dup', errorCode: 'E42' }]);
  const malformed = await ask('/v1/tools/search_web', { body: '{"query":' });
  assert.deepEqual([malformed.status, malformed.body.code], [400, 'invalid_request']);
  return { 'own guards': '401', 'own filter': '409' };
}

/** An agent lists the tools and calls one. */
async function askMcp(url) {
  const ask = async (method, params) => {
    const response = await fetch(`${url}/v1/tools/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': 'host-key' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return (await response.json()).result;
  };
  const { tools } = await ask('tools/list', {});
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['search_web', 'summarize_content']);
  const found = await ask('tools/call', { name: 'search_web', arguments: { query: 'coral' } });
  assert.match(found.content[0].text, /polyps/);
  return 'ok';
}
