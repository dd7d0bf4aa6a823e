import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCES = fileURLToPath(new URL('./src/', import.meta.url));
const DOCUMENT = new URL('../../openapi.json', import.meta.url);
const PATIENCE_MS = 30_000;

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
export async function tryHost({ main, esm, jest, dependencies }, folder, tarball) {
  await writeHost(folder, { main, esm, jest, dependencies }, tarball);
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await runIn(folder, 'npm', ...install);
  const typescript = (await runIn(folder, 'npx', '--no-install', 'tsc', '--version')).trim().split(' ').pop();
  await typecheckDeclarations(folder);
  await runIn(folder, 'npx', '--no-install', 'tsc', '--skipLibCheck');
  const seen = await askHost(folder, main, esm, '@modelcontextprotocol/server' in dependencies);
  if (jest) await runIn(folder, 'npx', '--no-install', 'jest', '--rootDir=out', '--ci');
  return { typescript, ...seen, jest: jest ? 'ok' : '' };
}

async function writeHost(folder, { main, esm, jest, dependencies }, tarball) {
  await mkdir(join(folder, 'src'), { recursive: true });
  const files = [`${main}.ts`, 'app.module.ts', 'run-host.ts'];
  if (main !== 'without-swagger') files.push('document-of-tools.ts');
  if (jest) files.push('app.test.ts');
  for (const file of files) await cp(join(SOURCES, file), join(folder, 'src', file));
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
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      types: ['node'],
      rootDir: 'src',
      outDir: 'out',
    },
    include: ['src'],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig, null, 2));
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

async function askHost(folder, main, esm, hasMcp) {
  // Nest 10 and 11 are CommonJS through and through: there the package must load without Node's `require` of ES modules.
  const flags = esm ? [] : ['--no-experimental-require-module'];
  const host = spawn(process.execPath, [...flags, `out/${main}.js`], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const kill = setTimeout(() => host.kill('SIGKILL'), PATIENCE_MS);
  const exit = once(host, 'exit');
  let complaints = '';
  host.stderr.on('data', (data) => (complaints += data));
  try {
    const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
    const { value: line } = await lines.next();
    assert.ok(line, `the host did not start\n${complaints}`);
    const { url, bootMs, document } = JSON.parse(line);
    // The host without Swagger has no class-transformer either, and so no pipe of its own.
    const seen = await askTools(url, main !== 'without-swagger');
    const mcp = hasMcp ? await askMcp(url) : 'not installed';
    if (main === 'without-swagger') assert.equal(document, undefined);
    else assert.deepEqual(document, await committedDocument());
    host.stdin.end();
    const [code] = await exit;
    assert.equal(code, 0, `the host did not end by itself when it was closed\n${complaints}`);
    assert.equal(complaints, '');
    return { boot: `${bootMs} ms`, ...seen, mcp, document: document ? 'ok' : 'none' };
  } finally {
    clearTimeout(kill);
    host.kill('SIGKILL');
  }
}

/** The same of the document in the repository: whichever version of `@nestjs/swagger` makes it, it says the same of the tools. */
async function committedDocument() {
  const { paths, components } = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  return { paths, schemas: components.schemas };
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
