import { words } from '../../../../lib/text/tokens.js';
import { namesIn, NameFinder } from '../../../../lib/summarize/methods/verify/names.js';
import { TranscriptIndex } from '../../../../lib/summarize/methods/verify/transcript-index.js';

async function support(said: string, ...name: string[]): Promise<string> {
  const index = await TranscriptIndex.build([{ startMs: 0, endMs: 1000, text: said }], 'en');
  return new NameFinder(index, new Set(words('A known title'))).support(name, index.whole);
}

describe('namesIn', () => {
  it('takes capitals inside a sentence, joined where they stand together, and in German only words with a capital or digit inside', () => {
    expect(namesIn('Yesterday Maria Lopez met the NASA. Then Bob left.', 'en')).toEqual([
      ['Maria', 'Lopez'],
      ['NASA'],
      ['Bob'],
    ]);
    expect(namesIn('The Bank of England and COVID-19 at AT&T.', 'en')).toEqual([
      ['Bank', 'England', 'COVID-19'],
      ['AT&T'],
    ]);
    expect(namesIn('En el siglo XIX reinaba Luis XIV.', 'es')).toEqual([['Luis']]);
    expect(namesIn('Gestern traf die Nachbarin einen Astronauten der NASA.', 'de')).toEqual([['NASA']]);
  });
});

describe('a name', () => {
  it.each([
    ['we met maria there', ['Maria']],
    ['a t f t display', ['TFT']],
    ['a T_F_T_ display', ['TFT']],
    ['the u.s. army', ['US']],
    ['n a s a took it', ['NASA']],
    ['the a p i is open', ['API']],
    ['she works for open a i', ['OpenAI']],
    ['it is g p t four', ['GPT-4']],
    ['after covid we met', ['COVID-19']],
    ['the e u pays', ['European', 'Union']],
    ['the eu pays', ['European', 'Union']],
    ['nothing at all', ['Title']],
    ["maria's dog", ['Maria']],
    ['the tv is on', ['TVs']],
  ])('is said in “%s”: %j', async (said, name) => {
    expect(await support(said, ...name)).toBe('said');
  });

  it.each([
    ['engineer annabelle kiroga said', ['Anabel', 'Quiroga']],
    ['we use kuber netes here', ['Kubernetes']],
    ['the european union pays', ['EU']],
    ['america sent help', ['US']],
    ['the british came', ['UK']],
    ['artificial intelligence plans it', ['AI']],
    ['the world health organization says', ['WHO']],
    ['nothing at all', ['DNA']],
  ])('may be meant by “%s”: %j', async (said, name) => {
    expect(['near', 'said']).toContain(await support(said, ...name));
  });

  it.each([
    ['we met maria there', ['Roberto']],
    ['the harbour was rebuilt', ['Castellani']],
    ['a short talk about water', ['Zaphodbeeble']],
  ])('is not in “%s”: %j', async (said, name) => {
    expect(await support(said, ...name)).toBe('absent');
  });

  it('is looked up quickly in hours of speech', async () => {
    const pieces = Array.from({ length: 15_000 }, (_, i) => ({
      startMs: i * 4000,
      endMs: i * 4000 + 3900,
      text: `and so we said w${i % 9000} of x${(i * 7) % 5000} to the house again`,
    }));
    const start = process.cpuUsage().user;
    const index = await TranscriptIndex.build(pieces, 'en');
    const built = process.cpuUsage().user;
    const finder = new NameFinder(index, new Set());
    for (const name of ['Kubernetes', 'NASA', 'Quiroga', 'OpenAI', 'European'])
      finder.support([name], index.whole);
    expect(process.cpuUsage().user - built).toBeLessThan(3 * (built - start));
  });
});
