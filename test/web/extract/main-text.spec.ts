import { outlineHtml } from '../../../lib/web/extract/html-outline.js';
import { chooseTexts } from '../../../lib/web/extract/main-text.js';

const sentence =
  'The harbour is dredged twice a year, and the sand goes to the beaches in the south of the bay.';
const sure = `<p data-p=".95">${sentence.repeat(15)}</p>`;

/** The texts that are chosen of a page whose elements say how probable they are. */
async function chosen(body: string): Promise<string[]> {
  const { texts } = await outlineHtml(body, () => undefined);
  const probabilities = [...body.matchAll(/data-p="([\d.]+)"/g)].map(([, p]) => Number(p));
  expect(probabilities).toHaveLength(texts.length);
  const isMain = chooseTexts(texts, Float32Array.from(probabilities));
  return texts.filter((_, i) => isMain[i]).map(({ text }) => text.slice(0, 20));
}

describe('what stands together with main text', () => {
  it.each([
    ['a likely heading above a text', `<h2 data-p=".6">Doubtful</h2><div>${sure}</div>`],
    ['code below a text', `${sure}<pre data-p=".1">Doubtful</pre>`],
    ['code above a text', `<pre data-p=".1">Doubtful</pre>${sure}`],
    [
      'a doubtful table below a text',
      `${sure}<table><tr><td data-p=".4">Doubtful</td><td data-p=".4">Cell</td></tr></table>`,
    ],
  ])('is %s', async (_what, body) => {
    expect(await chosen(body)).toContain('Doubtful');
  });

  it.each([
    ['an unlikely text between two', `<div>${sure}<p data-p=".4">Doubtful</p>${sure}</div>`],
    ['an unlikely heading above a text', `<div>${sure}<h2 data-p=".4">Doubtful</h2>${sure}</div>`],
    ['a likely heading below a text', `${sure}<h2 data-p=".6">Doubtful</h2>`],
    [
      'an unlikely table below a text',
      `${sure}<table><tr><td data-p=".2">Doubtful</td><td data-p=".2">Cell</td></tr></table>`,
    ],
    ['code beside an unlikely text', `${sure}<p data-p=".2">Share</p><pre data-p=".1">Doubtful</pre>`],
  ])('is not %s', async (_what, body) => {
    expect(await chosen(body)).not.toContain('Doubtful');
  });
});
