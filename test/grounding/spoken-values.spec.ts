import fc from 'fast-check';
import { checkStatements } from '../../lib/grounding/check-statements.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import { LANGUAGES, type Language } from '../../lib/text/languages.js';

/** Whether the numbers of a statement were said; `other`: a language that is none of the six. */
async function support(
  said: string,
  statement: string,
  spoken: Language | 'other' = 'en',
  written: Language | 'other' = spoken,
): Promise<string> {
  const language = (one: Language | 'other') => (one === 'other' ? undefined : one);
  const pieces = [{ text: said, startMs: 0, endMs: 1000 }];
  const evidence = await Evidence.ofTranscript(pieces, '', language(spoken));
  const [check] = await checkStatements([{ text: statement }], evidence, { language: language(written) });
  return check!.findings.some(({ reason }) => reason === 'value') ? 'absent' : 'said';
}

describe('the numbers of a transcript', () => {
  it.each<[Language, string, string]>([
    ['en', 'in nineteen ninety nine', 'In 1999.'],
    ['en', 'back in nineteen oh five', 'In 1905.'],
    ['en', 'in two thousand and five', 'In 2005.'],
    ['en', 'twenty twenty one', '2021'],
    ['en', 'it was twelve fifty', 'It cost 12.50 dollars.'],
    ['en', 'twelve euros and fifty cents', 'It cost €12.50.'],
    ['en', 'it was 12 50', 'It cost 12.50.'],
    ['en', 'one point five million people', '1.5 million people'],
    ['en', 'one and a half million people', '1,500,000 people'],
    ['en', 'two and a half thousand', '2.5k'],
    ['en', 'half a million', '500,000'],
    ['en', 'fifteen hundred boats', '1.5k boats'],
    ['en', '3 million', '3,000,000'],
    ['en', '1,500,000 people', '1.5 million people'],
    ['en', 'three point one four', '3.14'],
    ['en', 'in the 90s', 'in the 1990s'],
    ['en', 'half of them', '50 % of them'],
    ['en', 'a quarter', '25%'],
    ['en', 'two thirds', '67 percent'],
    ['en', '24.8 million', 'about 25 million'],
    ['en', 'one and a quarter million', '1.25 million'],
    ['en', 'thirty five k', '35,000'],
    ['en', 'one hundred twenty thousand dollars', '$120,000'],
    ['de', 'in den Sechzigern', 'in den 1960ern'],
    ['fr', 'mille neuf cent quatre vingt dix neuf', '1999'],
    ['fr', 'deux heures et quart', '2 h 15'],
    ['en', '1,203 people', '1,200 people'],
    ['en', 'nine out of ten', '90 percent'],
    ['en', 'forty percent', '40 %'],
    ['en', 'two dozen eggs', '24 eggs'],
    ['en', 'half a dozen dozen', '12'],
    ['en', 'half past eight', '8:30'],
    ['en', 'half past eight', '20:30'],
    ['en', 'a quarter to nine', '8:45'],
    ['en', 'ten past eleven', '11:10'],
    ['en', 'at eight thirty', '8:30'],
    ['en', 'at 8 30', '8:30'],
    ['en', 'twelve o clock', '12:00'],
    ['en', 'the twenty first century', '21'],
    ['de', 'am ersten April achtzehnhundertdreiundneunzig', 'Seit dem 1.4.1893 und dem 1. 4. 1893'],
    ['en', 'on march the fourteenth twenty seventeen', '3/14/2017 or 2017-03-14'],
    ['en', 'the thirtieth time', '30'],
    ['en', 'two million and a half', '2.5 million'],
    ['en', 'it takes half an hour', '30 minutes'],
    ['en', 'three quarters of an hour', '45 min'],
    ['en', 'an hour and a half', '90 minutes'],
    ['en', 'one hour twenty minutes', '80 minutes'],
    ['en', 'eighty minutes', '1 hour 20 minutes'],
    ['en', 'ninety seconds to two minutes', '90–120 seconds'],
    ['en', 'two weeks', '14 days'],
    ['en', 'after nine and a half minutes', '570 seconds'],
    ['de', 'am fünfzehnten Januar', 'am 15. Januar'],
    ['de', 'am einundzwanzigsten März', 'am 21. März'],
    ['de', 'anderthalb Stunden', '90 Minuten'],
    ['de', 'von zehn Leuten kamen sieben', '70 %'],
    ['fr', 'le quinzième jour, le dix-neuvième et le trentième', '15, 19, 30'],
    ['fr', 'dans les années soixante dix', 'les années 1970'],
    ['fr', 'deux millions et demi', '2,5 millions'],
    ['fr', 'une demi-heure', '30 minutes'],
    ['fr', "un quart d'heure", '15 min'],
    ['fr', 'sur dix habitants, sept', '70 %'],
    ['es', 'dos millones y medio', '2,5 millones'],
    ['es', 'tarda media hora', '30 minutos'],
    ['es', 'de cada diez vecinos siete', '70 %'],
    ['it', 'il quindicesimo e il ventesimo giorno', '15 e 20'],
    ['it', 'due milioni e mezzo', '2,5 milioni'],
    ['pt', 'três milhões e meio', '3,5 milhões'],
    ['pt', 'meia hora', '30 minutos'],
    ['de', 'neunzehnhundertneunundneunzig', '1999'],
    ['de', 'zwölf Euro fünfzig', '12,50 Euro'],
    ['de', 'drei Komma fünf Millionen', '3,5 Millionen'],
    ['de', 'eintausendfünfhundert', '1.500'],
    ['de', 'die Hälfte', '50 %'],
    ['de', 'ein Drittel', '33 Prozent'],
    ['de', 'neun von zehn', '90 %'],
    ['de', 'halb neun', '8:30 Uhr'],
    ['de', 'Viertel nach acht', '8.15 Uhr'],
    ['de', 'acht Uhr dreißig', '20:30 Uhr'],
    ['de', 'ein Dutzend', '12'],
    ['fr', 'dix-neuf cent quatre-vingt-dix-neuf', '1999'],
    ['fr', 'huit heures et demie', '8h30'],
    ['fr', 'neuf heures moins le quart', '8h45'],
    ['fr', 'vingt-cinq mille', '25 000'],
    ['fr', 'la moitié', '50 %'],
    ['fr', 'les années quatre-vingt-dix', 'les années 1990'],
    ['fr', 'trois virgule cinq', '3,5'],
    ['es', 'mil novecientos noventa y nueve', '1999'],
    ['es', 'doce con cincuenta', '12,50'],
    ['es', 'las ocho y media', '8:30'],
    ['es', 'nueve de cada diez', '90 %'],
    ['it', 'millenovecentonovantanove', '1999'],
    ['it', 'alle otto e mezza', '8:30'],
    ['it', 'un terzo', '33 %'],
    ['pt', 'mil novecentos e noventa e nove', '1999'],
    ['pt', 'às oito e meia', '8:30'],
    ['pt', 'dezasseis mil', '16 mil'],
  ])('have, in %s, “%s” for “%s”', async (language, said, statement) => {
    expect(await support(said, statement, language)).toBe('said');
  });

  it.each<[Language, string, string]>([
    ['en', 'in nineteen ninety nine', 'In 1998.'],
    ['en', 'twenty five million', '95 million'],
    ['en', 'half of them', '60 %'],
    ['en', 'half past eight', '11:15'],
    ['en', 'it was twelve fifty', 'It cost 98.20.'],
    ['en', 'twelve thousand people', '640 people'],
    ['de', 'zwölf Euro fünfzig', '740,80 Euro'],
    ['fr', 'vingt-cinq mille', '73 000'],
    ['es', 'mil novecientos noventa y nueve', '1873'],
    ['it', 'alle otto e mezza', '15:45'],
    ['pt', 'dezasseis mil', '77 mil'],
    ['en', 'it takes half an hour', '50 minutes'],
    ['en', 'two weeks', '16 days'],
    ['de', 'am fünfzehnten Januar', 'am 17. Januar'],
    ['es', 'dos millones y medio', '3,5 millones'],
  ])('do not have, in %s, “%s” for “%s”', async (language, said, statement) => {
    expect(await support(said, statement, language)).toBe('absent');
  });

  it.each([
    ['from 1980 to 2020', '40 years'],
    ['back in ninety two', 'In 1992'],
  ])('may mean, with “%s”, “%s”', async (said, statement) => {
    expect(await support(said, statement)).toBe('said');
  });

  it('say nothing where their language is not known', async () => {
    expect(await support('negentienhonderd', 'In 1900.', 'other')).toBe('said');
  });

  it('are found in any language that they are written in', async () => {
    expect(
      await support('nineteen ninety nine, twelve fifty', 'Im Jahr 1999 waren es 12,50 Euro.', 'en', 'de'),
    ).toBe('said');
  });

  it('are found as they are written, whatever the separators', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...LANGUAGES),
        fc.integer({ min: 11, max: 999_999_999 }),
        fc.constantFrom(',', '.', ' ', '’', ''),
        fc.constantFrom(',', '.', ' ', "'", ''),
        async (language, number, one, other) => {
          const written = (sign: string) => String(number).replace(/\B(?=(\d{3})+$)/g, sign);
          expect(await support(`so ${written(one)} of them`, `It is ${written(other)} now.`, language)).toBe(
            'said',
          );
        },
      ),
    );
  });

  it('take anything', async () => {
    const piece = fc.constantFrom(
      'one',
      'half',
      'of',
      'past',
      'to',
      'point',
      '12',
      '.',
      ',',
      ' ',
      '5k',
      '90s',
      '%',
      'million',
      'oh',
      'dozen',
      '-',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(piece), async (said, stated) => {
        await expect(support(said.join(' '), stated.join(''))).resolves.toBeDefined();
      }),
    );
  });

  it('are not missed in a text of thousands of different numbers', async () => {
    const said = Array.from({ length: 7000 }, (_, i) => `Number ${10_001 + i} was drawn.`).join(' ');
    expect(await support(said, 'Number 16011 was drawn.')).toBe('said');
  });
});
