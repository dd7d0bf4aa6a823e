import { MissingPeerError } from '../../lib/core/errors.js';
import { isMissing, loadPeer } from '../../lib/core/ports.js';

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe('an optional package', () => {
  it.each([
    ['import()', failure('ERR_MODULE_NOT_FOUND', "Cannot find package 'ioredis' imported from /app/x.js")],
    ['require', failure('MODULE_NOT_FOUND', "Cannot find module 'ioredis'\nRequire stack:\n- /app/x.js")],
    [
      "Plug'n'Play",
      failure(
        'MODULE_NOT_FOUND',
        "nestjs-tools tried to access ioredis (a peer dependency) but it isn't provided by your application; this makes the require call ambiguous and unsound.\n\nRequired package: ioredis\nRequired by: nestjs-tools@virtual:1\n",
      ),
    ],
  ])('that is not there is named with its install command: by %s', async (_by, thrown) => {
    const loading = loadPeer('ioredis', 'A host with jobs', () => Promise.reject(thrown));
    await expect(loading).rejects.toThrow(MissingPeerError);
    await expect(loading).rejects.toThrow(
      'A host with jobs needs the optional package `ioredis`: npm install ioredis',
    );
    expect(isMissing(thrown, 'ioredis')).toBe(true);
  });

  it.each([
    [
      'one of its own (import)',
      failure(
        'ERR_MODULE_NOT_FOUND',
        "Cannot find package 'denque' imported from /app/node_modules/ioredis/built/Redis.js",
      ),
    ],
    [
      'one of its own (require)',
      failure(
        'MODULE_NOT_FOUND',
        "Cannot find module 'denque'\nRequire stack:\n- /app/node_modules/ioredis/built/Redis.js",
      ),
    ],
    [
      'a file',
      failure(
        'ERR_MODULE_NOT_FOUND',
        "Cannot find module '/app/node_modules/ioredis/built/index.js' imported from /app/x.js",
      ),
    ],
    ['what it is made for', failure('ERR_DLOPEN_FAILED', "'ioredis' was built for another Node")],
  ])('that is there but lacks %s is not reported as missing', async (_what, thrown) => {
    const loading = loadPeer('ioredis', 'A host with jobs', () => Promise.reject(thrown));
    await expect(loading).rejects.toBe(thrown);
    expect(isMissing(thrown, 'ioredis')).toBe(false);
  });

  it.each([[undefined], [null], ['ioredis'], [{ code: 'MODULE_NOT_FOUND' }]])(
    'may throw what is no error: %j',
    async (thrown) => {
      const loading = loadPeer('ioredis', 'A host with jobs', () => Promise.reject(thrown));
      await expect(loading).rejects.toBe(thrown);
    },
  );
});
