import fc from 'fast-check';
import { checkStatements } from '../../lib/grounding/check-statements.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import { namesIn } from '../../lib/grounding/names.js';
import { LANGUAGES, type Language } from '../../lib/text/languages.js';

const namesOf = async (evidence: Evidence, text: string, language: Language, given = '') => {
  const [check] = await checkStatements([{ text }], evidence, { language, given });
  return check!.findings.flatMap(({ reason, about }) => (reason === 'name' ? [about] : []));
};
const inText = async (said: string, text: string, language: Language = 'en', spoken: Language = language) =>
  namesOf(await Evidence.of([{ text: said, language: spoken }], spoken), text, language);
const inSpeech = async (said: string, text: string, language: Language = 'en', spoken: Language = language) =>
  namesOf(
    await Evidence.ofTranscript([{ text: said, startMs: 0, endMs: 1000 }], 'A known title', spoken),
    text,
    language,
  );

describe('a name is known', () => {
  it.each([
    ['from Norway', 'Norwegian'],
    ['the World Health Organization', 'WHO'],
    ['two CDs', 'CD'],
    ['a European rule', 'EU'],
    ['Dvořák', 'Dvorak'],
    ['over wifi', 'Wi-Fi'],
    ['over Wi-Fi', 'WiFi'],
    ['in the United States', 'U.S.'],
    ['the US economy', 'United States'],
    ['medieval French towns', 'France'],
    ['an American firm', 'US'],
    ['sellers in the UK', 'Britain'],
    ['a British firm', 'UK'],
    ['Dutch farmers', 'Netherlands'],
    ['ships of Denmark', 'Danish'],
    ['Brazilian coffee', 'Brazil'],
    ['in Germany', 'Germans'],
    ['paid to Obama', 'Barack Obama'],
    ['lower NICs for all', 'National Insurance Contributions'],
    ['some red blood cells', 'RBCs'],
  ])('by "%s": %s', async (said, name) => {
    expect(await inText(`They spoke ${said}.`, `It is about ${name} again.`)).toEqual([]);
  });

  it.each([
    ['IANA handed out blocks', 'ICANN'],
    ['Argentina won', 'Brazil'],
    ['version X4', 'X5'],
    ['Sun Microsystems', 'Nvidia'],
    ['President Clinton spoke', 'President Bush'],
    ['sellers in the US', 'UK'],
    ['Spanish towns', 'France'],
    ['French towns', 'EU'],
    ['the United Nations', 'United States'],
  ])('not by "%s": %s', async (said, name) => {
    expect(await inText(`They said: ${said}.`, `It is about ${name} again.`)).not.toEqual([]);
  });

  it.each([
    ['we met maria there', 'Maria'],
    ['a t f t display', 'TFT'],
    ['n a s a took it', 'NASA'],
    ['she works for open a i', 'OpenAI'],
    ['it is g p t four', 'GPT-4'],
    ['after covid we met', 'COVID-19'],
    ['the e u pays', 'EU'],
    ['nothing at all', 'Title'],
    ["maria's dog", 'Maria'],
    ['the tv is on', 'TVs'],
    ['we use kuber netes here', 'Kubernetes'],
    ['nothing at all', 'DNA'],
  ])('when it was heard as "%s": %s', async (said, name) => {
    expect(await inSpeech(said, `It is about ${name} again.`)).toEqual([]);
  });

  it.each([
    ['we met maria there', 'Roberto'],
    ['the harbour was rebuilt', 'Castellani'],
    ['a short talk about water', 'Zaphodbeeble'],
  ])('not when only "%s" was said: %s', async (said, name) => {
    expect(await inSpeech(said, `It is about ${name} again.`)).toEqual([name]);
  });

  it('by the question', async () => {
    const evidence = await Evidence.of([{ text: 'Hotels may cost €140.', language: 'en' }], 'en');
    expect(await namesOf(evidence, 'In Munich a hotel may cost €140.', 'en', 'A hotel in Munich?')).toEqual(
      [],
    );
    expect(await namesOf(evidence, 'In Munich a hotel may cost €140.', 'en')).toEqual(['Munich']);
  });
});

it('a unit is no name, in any table or none', async () => {
  expect(await inText('The screen is slow.', 'It has 60 Hz, 99 Wh and 512 KiB.')).toEqual([]);
});

describe('across languages', () => {
  it('only persons are compared, because other names are translated', async () => {
    const said = 'en la reunión habló el ministro de Alemania con Ana Botín';
    const name = (text: string) => inSpeech(said, text, 'en', 'es');
    expect(await name('The minister of Germany spoke to Ana Botín at the White House.')).toEqual([]);
    expect(await name('The minister spoke to Michel Barnier.')).toEqual(['Michel Barnier']);
    const german = 'Sie sprach als erste Frau Mitglied der Akademie an.';
    expect(await inSpeech(said, german, 'de', 'es')).toEqual([]);
    const husband = 'Sie war mit dem Architekten Gustav Lindqvist verheiratet.';
    expect(await inSpeech(said, husband, 'de', 'es')).toEqual(['Gustav Lindqvist']);
  });

  it('nothing is compared with a script that is not Latin', async () => {
    const pieces = [{ text: '坂本さんの工房も半分壊れました', startMs: 0, endMs: 1000 }];
    const evidence = await Evidence.ofTranscript(pieces, '', undefined);
    expect(await namesOf(evidence, 'The workshop of Kenji Sakamoto was destroyed.', 'en')).toEqual([]);
  });
});

it('a country is known by its names in the language of the text', async () => {
  const name = (said: string, text: string) => inText(said, text, 'fr');
  expect(await name('Les ventes britanniques ont baissé.', 'Elles baissent au Royaume-Uni.')).toEqual([]);
  expect(await name('Les ventes allemandes ont baissé.', 'Elles baissent en Allemagne.')).toEqual([]);
  expect(await name('Les ventes allemandes ont baissé.', 'Elles baissent au Royaume-Uni.')).toEqual([
    'Royaume-Uni',
  ]);
});

it('an organization is not known by an article that has its letters', async () => {
  expect(
    await inText('Le comité a publié un avis.', 'Le comité des Nations Unies a publié un avis.', 'fr'),
  ).toEqual(['Nations Unies']);
});

it.each([
  ['He built it in England.', 'The British engineer built it.'],
  ['The firm from New York closed.', 'The American firm closed.'],
  ['The German and the French ministers met.', 'The European ministers met.'],
])('an adjective of a place in which others lie is no name: %s %s', async (said, text) => {
  expect(await inText(said, text, 'en')).toEqual([]);
});

describe('names of a sentence', () => {
  it.each<[string, Language, string[]]>([
    ['It was developed by James Gosling at Sun.', 'en', ['James Gosling', 'Sun']],
    ['IPv6 and NASA’s iPhone on Tuesday in March', 'en', ['IPv6', 'NASA’s iPhone']],
    ['Yes, I think so. The river rose.', 'en', []],
    ["C'est l'astronaute Yang qui a vu l'Europe.", 'fr', ['Yang', 'Europe']],
    ['Der Hund von Romy Schneider mag Wasser.', 'de', ['Romy Schneider']],
    ['Die Dichte von Eis', 'de', []],
  ])('%s', (text, language, expected) =>
    expect(namesIn(text, language, []).map((name) => name.text)).toEqual(expected),
  );

  it('stand where they say', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        for (const { text: name, start, end } of namesIn(text, language, []))
          expect(text.slice(start, end)).toBe(name);
      }),
    );
  });
});
