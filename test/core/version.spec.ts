import { readFileSync } from 'node:fs';
import { VERSION } from '../../lib/core/version.js';

it('the version in the code is that of the package', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(VERSION).toBe(manifest.version);
});
