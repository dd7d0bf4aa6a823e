// Copied into the folder of each finding: prints the versions, what one would expect and what is seen, and fails if what is seen has changed.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

const packages = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies ?? {});
for (const name of packages) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  console.log(`${name} ${version}`);
}
console.log(`node ${process.version}`);

/**
 * @param expected what one would expect, in the form of `seen`
 * @param recorded what was seen when the finding was written
 */
export function finding({ input, expected, seen, recorded }) {
  const line = (name, value) =>
    console.log(`${name.padEnd(9)} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  if (input !== undefined) line('input', input);
  line('expected', expected);
  line('seen', seen);
  const plain = JSON.parse(JSON.stringify(seen));
  if (isDeepStrictEqual(plain, recorded)) return;
  line('CHANGED, recorded was', recorded);
  process.exitCode = 1;
}
