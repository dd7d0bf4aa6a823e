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
    ['a doubtful text between two of one element', `<div>${sure}<p data-p=".6">Doubtful</p>${sure}</div>`],
    [
      'a list right behind a text',
      `<div>${sure}<ul><li data-p=".6">Doubtful</li><li data-p=".6">Point</li></ul></div>`,
    ],
    ['a likely heading above a text', `<div>${sure}</div><h2 data-p=".6">Doubtful</h2><div>${sure}</div>`],
    ['a doubtful heading above a text', `<div>${sure}<h2 data-p=".5">Doubtful</h2>${sure}</div>`],
    ['code below code', `${sure}<pre data-p=".1">First</pre><pre data-p=".1">Doubtful</pre>`],
    [
      'a list below a heading in an element of its own',
      `${sure}<div><div><h2 data-p=".9">Tools</h2></div></div><ul><li data-p=".6">Doubtful</li></ul>`,
    ],
    [
      'a doubtful term of a definition',
      `<div>${sure}<dl><dt data-p=".5">Doubtful</dt><dd data-p=".9">Explained.</dd></dl></div>`,
    ],
  ])('is %s', async (_what, body) => {
    expect(await chosen(body)).toContain('Doubtful');
  });

  it.each([
    ['an unlikely text between two', `<div>${sure}<p data-p=".4">Doubtful</p>${sure}</div>`],
    [
      'a doubtful text next to an unlikely one',
      `<div>${sure}<p data-p=".6">Doubtful</p><p data-p=".2">Share</p>${sure}</div>`,
    ],
    [
      'a doubtful text between two elements',
      `<div><div>${sure}</div></div><p data-p=".6">Doubtful</p><div><div>${sure}</div></div>`,
    ],
    ['a doubtful text behind the last', `<div>${sure}<p data-p=".6">Doubtful</p></div>`],
    ['a list in another element', `<div>${sure}</div><ul><li data-p=".6">Doubtful</li></ul>`],
    ['an unlikely heading above a text', `<div>${sure}<h2 data-p=".4">Doubtful</h2>${sure}</div>`],
  ])('is not %s', async (_what, body) => {
    expect(await chosen(body)).not.toContain('Doubtful');
  });
});
