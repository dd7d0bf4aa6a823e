import { memoryCacheStore } from '../../lib/core/cache.js';

describe('memoryCacheStore', () => {
  it('holds no more bytes than it may', async () => {
    const store = memoryCacheStore(10_000);
    for (let i = 0; i < 100; i++) await store.set(`key-${i}`, 'x'.repeat(500), 60_000);
    const kept = await Promise.all(Array.from({ length: 100 }, (_, i) => store.get(`key-${i}`)));
    expect(kept.filter((value) => value !== undefined).length).toBeLessThanOrEqual(10);
    expect(kept.at(-1)).toBe('x'.repeat(500));
  });
});
