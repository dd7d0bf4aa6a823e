/**
 * How `research` works, with a fake model over loopback: `npm run bench -- research PART [FOLDER]`.
 *
 * - `cost [FOLDER]`: calls, tokens, time and processor time of one question; the same of dzhng/deep-research, checked out in the folder (see `dzhng.mjs`)
 * - `multihop FOLDER`: questions in several steps with their pages; `--more` adds further pages, `--misses` shows what was not found
 * - `careless`: reports in which a third of the sentences is wrong
 * - `everyday FOLDER`: 15 questions with four aspects each
 * - `failures`: a search, a call or the budget fails after k
 * - `frames FILE`: FRAMES with a real model and a real search; needs keys
 */
const [part, folder] = process.argv.slice(2);
const PARTS = {
  cost: async () => (await import('./research/cost.mjs')).cost(folder),
  multihop: async () => (await import('./research/multihop.mjs')).multihop(folder),
  careless: async () => (await import('./research/careless.mjs')).careless(),
  everyday: async () => (await import('./research/everyday.mjs')).everyday(folder),
  failures: async () => (await import('./research/failures.mjs')).failures(),
  frames: async () => (await import('./research/frames.mjs')).frames(folder),
};
if (!PARTS[part] || (!folder && ['multihop', 'everyday', 'frames'].includes(part))) {
  console.error(
    'usage: npm run bench -- research cost [FOLDER] | multihop FOLDER | careless | everyday FOLDER | failures | frames FILE',
  );
  process.exit(2);
}
await PARTS[part]();
