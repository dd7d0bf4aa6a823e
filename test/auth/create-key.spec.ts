import { jest } from '@jest/globals';
import { hashApiKey } from '../../lib/auth/api-key-store.js';

/** Runs the command in this process. */
async function run(...args: string[]): Promise<{ out: string; err: string; code: unknown }> {
  const printed = { out: '', err: '' };
  const { argv, exitCode } = process;
  process.exitCode = undefined;
  process.argv = ['node', 'nestjs-tools-key', ...args];
  const out = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => ((printed.out += String(text)), true));
  const err = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => ((printed.err += String(text)), true));
  try {
    jest.resetModules();
    await import('../../lib/auth/create-key.cli.js');
    return { ...printed, code: process.exitCode };
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    out.mockRestore();
    err.mockRestore();
  }
}

describe('nestjs-tools-key', () => {
  it('prints a key, its hash, and the line for the options', async () => {
    const { out, code } = await run();
    const [, key] = /^key {4}(nt_\S+)$/m.exec(out)!;
    expect(out).toContain(`hash   ${hashApiKey(key!)}`);
    expect(out).toContain(`apiKeys: [{ hash: '${hashApiKey(key!)}', name: "a-name-for-logs" }]`);
    expect(code).toBeUndefined();
  });

  it('puts the name into the options', async () => {
    expect((await run('--name', 'billing')).out).toContain('name: "billing"');
  });

  it('explains itself without making a key', async () => {
    const { out } = await run('--help');
    expect(out).toContain('Usage: nestjs-tools-key [--name <name>]');
    expect(out).not.toContain('nt_');
  });

  it.each([['--nmae'], ['billing'], ['--name']])(
    'refuses %s, makes no key and says what is accepted',
    async (flag) => {
      const { out, err, code } = await run(flag);
      expect(out).toBe('');
      expect(err).toContain('Usage:');
      expect(code).toBe(2);
    },
  );
});
