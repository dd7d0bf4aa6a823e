import fc from 'fast-check';
import { Evidence } from '../../lib/grounding/evidence.js';
import { findQuotation } from '../../lib/grounding/quotations.js';

const AIR_FRYERS =
  'We cooked chips in 14 air fryers. The air fryers were ready about 25 percent sooner and used roughly half the electricity. Most baskets are too small for a family of four. Prices run from £45 to £250.';
const JAVA =
  'Java was originally developed by James Gosling at Sun Microsystems and released in May 1995. Sun relicensed most of its technologies in 2007.';
const of = (...texts: string[]) =>
  Evidence.of(
    texts.map((text) => ({ text })),
    'en',
  );

describe('a quotation', () => {
  it.each([
    'most baskets are too small',
    '“Most  baskets\nare too small for a family of four.”',
    '… baskets are too small…',
    'Prices … £45 to £250',
    'Most baskets [...] family of four',
  ])('is found whatever its case, blanks, quotation marks and gaps: %s', async (text) => {
    const evidence = await of(AIR_FRYERS);
    const found = findQuotation(text, evidence);
    expect(found).toMatchObject({ share: 1, isVerbatim: true });
    expect(AIR_FRYERS).toContain(evidence.textAt(found!.place));
  });

  it('is found in whatever source has it, and in the nearest place', async () => {
    const evidence = await of(AIR_FRYERS, JAVA, JAVA);
    const find = (source?: number) =>
      findQuotation(
        'developed by James Gosling',
        evidence,
        source === undefined ? undefined : evidence.wholeOf(source),
      );
    expect(find()).toMatchObject({ isVerbatim: true, place: { source: 1 } });
    expect(find(2)).toMatchObject({ isVerbatim: true, place: { source: 2 } });
    expect(find(0)).toBeUndefined();
  });

  it('says what was changed in it', async () => {
    const evidence = await of(AIR_FRYERS, 'The plant is not safe for cats or dogs, vets say.');
    const priced = findQuotation('Prices range from £45 to £150.', evidence)!;
    expect(priced).toMatchObject({ isVerbatim: false, isNegated: false });
    expect([...priced.changed]).toEqual(['range', '150']);
    expect(findQuotation('The plant is safe for cats or dogs', evidence)!.isNegated).toBe(true);
  });

  it.each(['air', 'Robots beat no human chef'])('is not found, or hardly: %s', async (text) =>
    expect(findQuotation(text, await of(AIR_FRYERS))?.share ?? 0).toBeLessThan(0.5),
  );

  it.each([
    ['Der Tarif liegt bei 37,50 € im Jahr.', 'Tarif liegt bei 37,50 €', 'Tarif liegt bei 37,50 €'],
    ['Built by Thorne (1841–1912) in Bergvik.', 'by Thorne (1841–1912)', 'by Thorne (1841–1912)'],
    ['A ticket (from €24) is needed.', '€24', '€24'],
  ])('has the signs of its last word: %s', async (source, quotation, wanted) => {
    const evidence = await of(source);
    expect(evidence.textAt(findQuotation(quotation, evidence)!.place)).toBe(wanted);
  });

  it('is found in scripts without blanks', async () => {
    const evidence = await of('地震の後、坂本さんの工房も半分壊れました。それでも続けました。');
    const found = findQuotation('坂本さんの工房も半分壊れました', evidence);
    expect(found).toMatchObject({ share: 1, isVerbatim: true });
    expect(findQuotation('来年も工房を建てます', evidence)?.share ?? 0).toBeLessThan(0.5);
  });

  it('gives back the words of the source, from any place', async () => {
    const word = fc.stringMatching(/^[a-zA-ZäöüßéİŁ’“-]{1,8}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 6, maxLength: 20 }), fc.nat(3), async (words, from) => {
        const text = words.join(' \n ');
        const evidence = await of(text);
        const found = findQuotation(
          words
            .slice(from, from + 6)
            .join(' ')
            .toUpperCase(),
          evidence,
        );
        if (found) expect(text).toContain(evidence.textAt(found.place));
      }),
    );
  });
});
