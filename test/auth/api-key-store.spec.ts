import { generateApiKey, hashApiKey, KEY_HASH, MemoryApiKeyStore } from '../../lib/auth/api-key-store.js';

describe('MemoryApiKeyStore', () => {
  it('knows a key given in plain and a key given as its hash', () => {
    const store = new MemoryApiKeyStore([
      'plain',
      { hash: hashApiKey('hashed'), name: 'billing', tools: ['search_web'] },
    ]);
    expect(store.verify('plain')).toMatchObject({ name: 'key-1' });
    expect(store.verify('hashed')).toMatchObject({ name: 'billing', tools: ['search_web'] });
    expect(store.verify('other')).toBeUndefined();
  });

  it('refuses a key from the moment it expires', () => {
    const future = new Date(Date.now() + 60_000);
    const store = new MemoryApiKeyStore([
      { key: 'soon', expiresAt: future },
      { key: 'past', expiresAt: new Date(Date.now() - 1).toISOString() },
    ]);
    expect(store.verify('soon')).toBeDefined();
    expect(store.verify('past')).toBeUndefined();
  });

  it('gives each key an id of its own that is not the key', () => {
    const store = new MemoryApiKeyStore(['first-key', 'second-key']);
    const ids = ['first-key', 'second-key'].map((key) => store.verify(key)!.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.join()).not.toMatch(/first|second/);
  });

  it('takes no key twice, in whatever form, and does not show it', () => {
    const keys = ['other', 'twice', { hash: hashApiKey('twice'), tools: [] }];
    const refused = 'option `apiKeys[2]` must be another key than that of apiKeys[1]';
    expect(() => new MemoryApiKeyStore(keys)).toThrow(new Error(`nestjs-tools: ${refused}`));
  });
});

describe('a generated key', () => {
  it('has 256 random bits, a prefix and a hash that the options take', () => {
    const keys = new Set(Array.from({ length: 100 }, generateApiKey));
    expect(keys.size).toBe(100);
    for (const key of keys) {
      expect(key).toMatch(/^nt_[A-Za-z0-9_-]{43}$/);
      expect(hashApiKey(key)).toMatch(KEY_HASH);
    }
  });

  it('hashes as FIPS 180-2 says', () => {
    expect(hashApiKey('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
