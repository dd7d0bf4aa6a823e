import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NUMBER = /^(?:export )?const ([A-Z][A-Z_0-9]*) = -?[\d_.]+(?: [*/+] [\d_.]+)*;(.*)/;
const CONVERSION = /^(?:HALF_|WORKING_)?(?:DAY|HOUR|MINUTE|MILLION)(?:_MS|_SECONDS)?$|^(?:MINUTES|HALF)_A_/;
/** By hand, a bound, a command, what is promised, or something that others published, with its version or year. */
const SOURCE =
  /set by hand|plain bound|bench|fitted|as above|API promises|as docs\/|help says|README|\bany (?:number|year)|as bits|goes up|arXiv|\b(?:19|20)\d\d\b|\b\d+\.\d+\.\d|RFC \d|\b(?:BullMQ|PostgreSQL) \d/i;

it('each number at the head of a file of lib says where it comes from', () => {
  const missing: string[] = [];
  for (const path of readdirSync('lib', { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts')) {
      // A comment holds for all numbers right below it.
      let note = '';
      for (const line of readFileSync(join('lib', path), 'utf8').split('\n')) {
        const [, name, aside = ''] = NUMBER.exec(line) ?? [];
        if (name === undefined) note = line.startsWith(' *') ? note + line : line;
        else if (!CONVERSION.test(name) && !SOURCE.test(note + aside)) missing.push(`${path}: ${name}`);
      }
    }
  expect(missing).toEqual([]);
});
