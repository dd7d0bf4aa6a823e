import { rememberSecret, withoutSecrets } from '../../lib/core/secrets.js';

it.each([
  ['redis://u:p%21ss%2fword99@host', 'cannot reach redis://u:p%21ss%2fword99@host'],
  ['redis://u:q%21ss%2fword99@host', 'wrong password q!ss/word99'],
  ['redis://u:ab%zzsecret99@host', 'cannot reach redis://u:ab%zzsecret99@host'],
  ['a lone \ud800 half', 'the key a lone \ud800 half is wrong'],
])('hides %j in %j', (value, text) => {
  rememberSecret(value);
  const shown = withoutSecrets(text);
  expect(shown).toContain('…');
  expect(shown).not.toMatch(/word99|secret99|lone/);
});

it('hides a secret that begins with another one as a whole', () => {
  rememberSecret('abcdef');
  rememberSecret('abcdefGHIJKL');
  expect(withoutSecrets('key abcdefGHIJKL refused')).toBe('key … refused');
});
