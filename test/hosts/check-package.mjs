import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { runIn } from './try-host.mjs';

/**
 * Looks at the packed package itself.
 * @param root of the repository, built
 * @param tarball the packed package
 * @param folder an empty one, to install into
 * @returns what was seen, by name
 */
export async function checkPackage(root, tarball, folder) {
  const bin = join(root, 'node_modules/.bin');
  await runIn(root, join(bin, 'attw'), tarball, '--format', 'ascii', '--no-emoji');
  await runIn(root, join(bin, 'publint'), tarball, '--strict');
  const declarations = await checkDeclarations(root);
  return { declarations, ...(await installAlone(tarball, folder)) };
}

/** What a host has that imports a sub-path, because the sub-path is about it. */
const NEEDED_BY = { './redis': ['ioredis'], './queue': ['ioredis', 'bullmq'] };

/**
 * No declaration file may carry an import attribute (TypeScript before 5.3 stops at it), and those that an entry point leads to may
 * import only what a host of that entry point is sure to have: our dependencies, our peers that are not optional, what a sub-path is about.
 * @returns number of files looked at
 */
async function checkDeclarations(root) {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const optional = Object.keys(manifest.peerDependenciesMeta ?? {});
  const allowed = new Set([
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.peerDependencies).filter((name) => !optional.includes(name)),
    ...builtinModules.flatMap((name) => [name, `node:${name}`]),
  ]);
  const files = (await readdir(join(root, 'dist'), { recursive: true }))
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => join(root, 'dist', file));
  const texts = new Map();
  for (const file of files) texts.set(file, await readFile(file, 'utf8'));
  const withAttribute = files.filter((file) => texts.get(file).includes('resolution-mode'));
  assert.deepEqual(withAttribute, [], 'declarations with an import attribute');

  const looked = new Set();
  for (const [subpath, { types }] of Object.entries(manifest.exports)) {
    if (!types) continue;
    const here = new Set([...allowed, ...(NEEDED_BY[subpath] ?? [])]);
    const reached = new Set([join(root, types)]);
    for (const file of reached) {
      looked.add(file);
      for (const [, specifier] of texts
        .get(file)
        .matchAll(/(?:from|import\(|import|require\()\s*['"]([^'"]+)['"]/g)) {
        const where = `${relative(root, file)} imports ${specifier}`;
        if (specifier.startsWith('.')) {
          const target = join(dirname(file), specifier.replace(/\.js$/, '.d.ts'));
          assert.ok(texts.has(target), `${where}, which is not in the package`);
          reached.add(target);
        } else {
          const name = specifier.startsWith('@')
            ? specifier.split('/', 2).join('/')
            : specifier.split('/', 1)[0];
          assert.ok(here.has(specifier) || here.has(name), `${where}, which a host may not have`);
        }
      }
    }
  }
  return looked.size;
}

/** What the package brings into a host besides the peers that the host has anyway. */
async function installAlone(tarball, folder) {
  await runIn(folder, 'npm', 'init', '-y');
  await runIn(
    folder,
    'npm',
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--legacy-peer-deps',
    tarball,
  );
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const kilobytes = (await runIn(folder, 'du', '-sk', '--apparent-size', 'node_modules')).split('\t', 1)[0];
  return { packages: Object.keys(lock.packages).length, megabytes: (Number(kilobytes) / 1024).toFixed(1) };
}
