import { readdirSync, readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(path, 'utf8');
const WORKFLOWS = readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`);

describe('the supply chain', () => {
  it.each(WORKFLOWS)('%s pins what it runs and asks for the least permissions', (path) => {
    const text = read(path);
    const used = [...text.matchAll(/^\s*-? ?uses: (.+)$/gm)].map(([, action]) => action!);
    for (const action of used) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    // Nothing by default; each job says what it needs.
    expect(text).toMatch(/^permissions: \{\}$/m);
    const jobs = text.slice(text.indexOf('\njobs:')).match(/^ {2}\w[\w-]*:$/gm)!;
    expect(text.match(/^ {4}permissions:$/gm)).toHaveLength(jobs.length);
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)).toHaveLength(jobs.length);
    expect(text.match(/npm ci(?! --ignore-scripts)/g)).toBeNull();
    expect(text.match(/persist-credentials: false/g) ?? []).toHaveLength(
      used.filter((action) => action.startsWith('actions/checkout@')).length,
    );
    // What a stranger can name (a title, a branch) must not become a part of a script.
    expect(text).not.toMatch(/\$\{\{\s*github\.(?:event|head_ref)/);
  });

  it.each(['.github/workflows/ci.yml', 'Dockerfile', 'compose.yaml'])('%s pins images by digest', (path) => {
    const images = [...read(path).matchAll(/^\s*(?:container:|image:|FROM) (\S+)/gm)].map(
      ([, image]) => image,
    );
    expect(images.length).toBeGreaterThan(0);
    // Built here.
    const foreign = images.filter((image) => image !== 'nestjs-tools-sample-app');
    for (const image of foreign) expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  it('publishes ports of compose.yaml on this machine only', () => {
    const ports = [...read('compose.yaml').matchAll(/^\s*ports:(.*)$/gm)].map(([, list]) => list!.trim());
    expect(ports.length).toBeGreaterThan(0);
    for (const list of ports) expect(list).toMatch(/^\['127\.0\.0\.1:\d+:\d+'\]$/);
  });

  it('checks in CI every part of .ci/run', () => {
    const parts = [...read('.ci/run').matchAll(/^(\w+)\(\) \{$/gm)].map(([, name]) => name!);
    const ci = read('.github/workflows/ci.yml');
    const listed = /part:\s*\[([^\]]+)\]/.exec(ci)![1]!.match(/\w+/g)!;
    const asked = new Set([...listed, ...[...ci.matchAll(/part: (\w+),/g)].map(([, name]) => name!)]);
    expect([...asked].sort()).toEqual(parts.filter((name) => name !== 'step' && name !== 'debian').sort());
  });

  it('publishes only what another job has packed from a tag on main', () => {
    const jobs = read('.github/workflows/release.yml').split(/^ {2}(?=\w[\w-]*:$)/m);
    const [publish, ...others] = jobs.filter((job) => job.includes('id-token: write'));
    expect(others).toEqual([]);
    expect(publish).not.toMatch(/checkout|npm (?:ci|install|run|test)/);
    expect(publish).toMatch(/npm publish --ignore-scripts .*\.tgz/);
    const needed = /needs: (\w+)/.exec(publish!)![1]!;
    const pack = jobs.find((job) => job.startsWith(`${needed}:`))!;
    expect(pack).toMatch(/git merge-base --is-ancestor "\$GITHUB_SHA" origin\/main/);
    expect(pack).toContain('npm pack');
  });

  it.each(WORKFLOWS)('%s installs Python tools by version and hash', (path) => {
    const text = read(path);
    expect(text).not.toMatch(/pipx install/);
    for (const [, options] of text.matchAll(/pip"? install (.*)/g)) {
      expect(options).toContain('--require-hashes');
      const lines = read(/-r (\S+)/.exec(options!)![1]!)
        .trim()
        .split('\n');
      for (const line of lines) expect(line).toMatch(/^[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}$/);
    }
  });

  it('has no install scripts, and publishes with provenance', () => {
    const { scripts, publishConfig } = JSON.parse(read('package.json')) as {
      scripts: Record<string, string>;
      publishConfig: object;
    };
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(scripts).not.toHaveProperty(name);
    expect(publishConfig).toMatchObject({ provenance: true });
  });
});
