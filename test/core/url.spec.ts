import { parseUrl } from '../../lib/core/url.js';

describe('parseUrl', () => {
  it('reads a host beyond ASCII however often it is asked', () => {
    let refused = 0;
    for (let i = 0; i < 100_000; i++) if (!parseUrl('http://münchen.example/')) refused++;
    expect(refused).toBe(0);
  });

  it('is undefined for a text that is no URL', () => {
    expect(parseUrl('münchen')).toBeUndefined();
    expect(parseUrl('//host')).toBeUndefined();
    expect(parseUrl('/path', 'https://host.example')?.href).toBe('https://host.example/path');
  });
});
