import { checkStatements } from '../../lib/grounding/check-statements.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import { isHard } from '../../lib/grounding/unsupported.js';
import type { Language } from '../../lib/text/languages.js';

interface Row {
  language?: Language;
  source: string;
  question?: string;
  calculations: [string, string][];
  text: string;
  wrong: string;
}

async function marks({ language = 'en', source, question = '', calculations }: Row, text: string) {
  const evidence = await Evidence.of([{ text: source, language }], language);
  const checks = await checkStatements([{ text, cited: [0] }], evidence, {
    language,
    given: question,
    calculations: calculations.map(([expression, result]) => ({ expression, result })),
  });
  return checks[0]!.findings.filter(isHard).map(({ about }) => about);
}

const ROWS: Record<string, Row[]> = {
  'in millions whose scale the expression leaves out': [
    {
      source: 'Sales were SEK 412 million after SEK 371 million the year before.',
      calculations: [['412 - 371', 'SEK 41 million']],
      text: 'Sales rose by SEK 41 million.',
      wrong: 'Sales rose by SEK 41 billion.',
    },
    {
      language: 'de',
      source: 'Der Umsatz stieg von 8,4 Mio. CHF auf 9,1 Mio. CHF.',
      calculations: [['9,1 - 8,4', '0,7 Mio. CHF']],
      text: 'Das sind 0,7 Mio. CHF mehr.',
      wrong: 'Das sind 0,9 Mio. CHF mehr.',
    },
    {
      language: 'fr',
      source: "Le groupe a vendu pour 950 millions d'euros, contre 760 millions en 2024.",
      calculations: [['950 / 760 - 1', '25 %']],
      text: 'Les ventes ont augmenté de 25 %.',
      wrong: 'Les ventes ont augmenté de 29 %.',
    },
    {
      source: 'The dividend is DKK 3.50 a share; there are 12 million shares.',
      calculations: [['3.50 * 12', 'DKK 42 million']],
      text: 'The dividend costs DKK 42 million.',
      wrong: 'The dividend costs DKK 45 million.',
    },
  ],
  'with a percentage as a decimal': [
    {
      language: 'es',
      source: 'La tasa es de 50 euros. En invierno se paga el 70 % de la tasa.',
      calculations: [['50 * 0,70', '35 euros']],
      text: 'En invierno son 35 euros.',
      wrong: 'En invierno son 37 euros.',
    },
    {
      language: 'it',
      source: 'Nel 2025 i soci erano 1.272, il 6 % in più rispetto al 2024.',
      calculations: [['1272 / 1,06', '1.200']],
      text: 'Nel 2024 i soci erano 1.200.',
      wrong: 'Nel 2024 i soci erano 1.195.',
    },
    {
      source: 'The bike costs $480. Members get 15 % off.',
      calculations: [['480 * 0.85', '$408']],
      text: 'Members pay $408.',
      wrong: 'Members pay $420.',
    },
  ],
  'with a half of what the source states': [
    {
      language: 'pt',
      source: 'O bilhete custa 7,40 euros. As crianças pagam metade.',
      question: 'Quanto pagam dois adultos e uma criança?',
      calculations: [['2 * 7,40 + 3,70', '18,50 euros']],
      text: 'Pagam 18,50 euros.',
      wrong: 'Pagam 22,20 euros.',
    },
  ],
  'from the result of another calculation': [
    {
      source: 'A seat costs £12 and the hall has 340 seats. Tax is 20 %.',
      calculations: [
        ['4080 * 0.20', '£816'],
        ['12 * 340', '£4,080'],
      ],
      text: 'A full house brings £816 of tax.',
      wrong: 'A full house brings £860 of tax.',
    },
    {
      source: 'The ferry sails at 22:10 and arrives at 7:40. The crossing is 190 miles.',
      calculations: [
        ['22:10 to 7:40', '9 h 30 min'],
        ['190 / 9.5', '20 miles an hour'],
      ],
      text: 'It makes 20 miles an hour.',
      wrong: 'It makes 24 miles an hour.',
    },
  ],
  'of days': [
    {
      language: 'es',
      source: 'El camping abre del 1 de abril al 31 de octubre.',
      calculations: [['1 de abril a 31 de octubre', '7 meses']],
      text: 'El camping abre siete meses.',
      wrong: 'El camping abre nueve meses.',
    },
    {
      language: 'de',
      source: 'Die Ausstellung läuft vom 3. November bis 26. Januar.',
      calculations: [['3. November bis 26. Januar', '12 Wochen']],
      text: 'Sie läuft 12 Wochen.',
      wrong: 'Sie läuft 14 Wochen.',
    },
  ],
  'that is part of another expression': [
    {
      source: 'A swim costs £6.20, ten swims cost £52.70.',
      question: 'What do ten swims cost?',
      calculations: [['10 * 6.20 - 52.70', '£9.30']],
      text: 'Ten single swims would cost £62.00.',
      wrong: 'Ten single swims would cost £64.00.',
    },
  ],
  'from a difference that the text names': [
    {
      source: 'The village had 3,410 people in 2011 and 3,021 in 2021.',
      calculations: [['389 / 3410', '11.4 %']],
      text: 'The village lost 389 people, 11.4 %.',
      wrong: 'The village lost 389 people, 10.4 %.',
    },
  ],
  'as hours and minutes': [
    {
      language: 'fr',
      source: 'Préparation : 20 minutes. Repos : 45 minutes. Cuisson : 50 minutes.',
      calculations: [['20 + 45 + 50', '115 minutes']],
      text: 'Il faut 1 h 55 en tout.',
      wrong: 'Il faut 1 h 45 en tout.',
    },
  ],
  'without a calculation': [
    {
      language: 'de',
      source: 'Die Windräder erzeugten 12.300 MWh, die Solarparks 4.100 MWh.',
      calculations: [],
      text: 'Zusammen waren es 16,4 GWh (12.300 + 4.100 MWh).',
      wrong: 'Zusammen waren es 17,4 GWh (12.300 + 4.100 MWh).',
    },
    {
      language: 'it',
      source: 'La diga contiene 12,4 milioni di metri cubi.',
      calculations: [],
      text: 'La diga contiene 12,4 miliardi di litri.',
      wrong: 'La diga contiene 12,4 milioni di litri.',
    },
    {
      source: 'She treated the hives in October. She should have done so in August.',
      calculations: [],
      text: 'She treated them in October instead of August, two months late.',
      wrong: 'She treated them in October instead of August, four months late.',
    },
    {
      source: 'They lost 17 of 38 hives in the winter of 2017 to 2018.',
      calculations: [],
      text: 'They lost 17 of 38 hives in the winter of 2017/18.',
      wrong: 'They lost 17 of 38 hives in the winter of 2017/19.',
    },
  ],
  'with a number in another unit than its source': [
    {
      source: 'Each bag holds 250 g. A tree gives 30 kg.',
      calculations: [['30 / 0.25', '120']],
      text: 'A tree fills 120 bags.',
      wrong: 'A tree fills 130 bags.',
    },
  ],
  'as a rate': [
    {
      source: 'The baker buys 21 bags at €26.18 each.',
      calculations: [['21 * 26.18', '€549.78']],
      text: 'The flour cost €550.',
      wrong: 'The flour cost €560.',
    },
    {
      language: 'de',
      source: 'Das Abo kostet 249 € im Monat.',
      calculations: [['249 * 12', '2.988 €']],
      text: 'Im Jahr sind das 2.988 €.',
      wrong: 'Im Jahr sind das 2.898 €.',
    },
    {
      source: 'The fee is $60 a month. Members get 25 % off.',
      calculations: [['60 * 0.75', '$45']],
      text: 'Members pay $45 a month.',
      wrong: 'Members pay $54 a month.',
    },
    {
      source: 'Tom paid €62 on Monday and €55 on Sunday.',
      calculations: [['62 + 55', '€117']],
      text: 'That makes €117.',
      wrong: 'That makes €127.',
    },
    {
      source: 'The truck did 62 km with the first tank, and 55 km then.',
      calculations: [['62 + 55', '117 km']],
      text: 'That makes 117 km.',
      wrong: 'That makes 107 km.',
    },
    {
      source: 'A full load of 9 kg needs 1.61 kWh.',
      calculations: [['1.61 / 9', '0.18 kWh']],
      text: 'It needs 0.18 kWh per kilo.',
      wrong: 'It needs 0.28 kWh per kilo.',
    },
    {
      language: 'fr',
      source: 'La facture est passée de 1 450 à 870 euros par mois.',
      calculations: [['1450 - 870', '580 euros']],
      text: 'La baisse est de 580 euros par mois.',
      wrong: 'La baisse est de 680 euros par mois.',
    },
  ],
  'in percentage points only as a difference of shares': [
    {
      source: 'Sales went from 50 to 57, a rise of 14 %.',
      calculations: [['(57 - 50) / 50', '14 %']],
      text: 'Sales rose by 14 %.',
      wrong: 'Sales rose by 14 percentage points.',
    },
    {
      language: 'fr',
      source: 'La part est passée de 40 % à 54 %.',
      calculations: [['54 - 40', '14']],
      text: 'La part a augmenté de 14 points de pourcentage.',
      wrong: 'La part a augmenté de 16 points de pourcentage.',
    },
    {
      language: 'de',
      source: 'Der Anteil stieg um 5 Prozentpunkte.',
      calculations: [],
      text: 'Er stieg um 5 Prozentpunkte.',
      wrong: 'Er stieg um 5 Prozent.',
    },
  ],
  'that is a span and no time of day': [
    {
      language: 'de',
      source: 'Abfahrt 9:12 Uhr, Ankunft 10:27 Uhr.',
      calculations: [['10:27 - 9:12', '75 min']],
      text: 'Die Fahrt dauert 1:15 Stunden.',
      wrong: 'Der Zug kommt um 1:15 Uhr an.',
    },
    {
      source: 'It is open from 10:00 to 17:30.',
      calculations: [['17:30 - 10:00', '7.5 hours']],
      text: 'It is open for 7.5 hours.',
      wrong: 'It closes at 7:30.',
    },
    {
      source: 'It opens at 10:00 and closes at 17:30.',
      calculations: [],
      text: 'It opens at 10 a.m. and closes at 5:30.',
      wrong: 'It opens at 10 p.m. and closes at 5:30.',
    },
    {
      source: 'It opens at 9:15 a.m. and closes at 6 p.m.',
      calculations: [],
      text: 'It opens at 9:15 and closes at 18:00.',
      wrong: 'It opens at 9:15 and closes at 6 a.m.',
    },
  ],
  'of numbers that stand': [
    {
      source: 'They sold 240 loaves on Monday, 310 on Tuesday and 185 on Friday.',
      calculations: [
        ['240 + 310 + 185', '735'],
        ['310 * 2 + 125', '745'],
      ],
      text: 'They sold 735 loaves.',
      wrong: 'They sold 745 loaves.',
    },
    {
      source: 'The state paid 40 % of £3.2 million.',
      calculations: [['3.2 * 0.6', '£1.92 million']],
      text: 'Others paid 60 %.',
      wrong: 'Others paid 70 %.',
    },
    {
      language: 'es',
      source: 'Invirtieron 180 millones de euros. El 35 % fue para vías.',
      calculations: [['180 * 0.35', '63']],
      text: 'Las vías costaron 63 millones de euros.',
      wrong: 'Las vías costaron 63 mil euros.',
    },
  ],
};

describe.each(Object.entries(ROWS))('a result %s', (_kind, rows) => {
  it.each(rows.map((row): [string, Row] => [row.text, row]))('%s stands', async (text, row) =>
    expect(await marks(row, text)).toEqual([]),
  );
  it.each(rows.map((row): [string, Row] => [row.wrong, row]))('%s is marked', async (text, row) =>
    expect(await marks(row, text)).toHaveLength(1),
  );
});
