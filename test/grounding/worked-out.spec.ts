import { checkStatements } from '../../lib/grounding/check-statements.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import { findQuotation } from '../../lib/grounding/quotations.js';
import { isHard } from '../../lib/grounding/unsupported.js';
import type { Language } from '../../lib/text/languages.js';

interface Row {
  source: string;
  /** With `{}` in place of the number. */
  text: string;
  right: string;
  wrong: string[];
  expression: string;
  question?: string;
  quote?: string;
  language?: Language;
}

const POOL = 'A day ticket is €9.50, a child pays €5.25. A card for ten visits is €80. Towels cost €3 each.';
const PHONE =
  'Plan Duo costs €19.95 a month and has 40 GB. A new number costs €24.90 once. Plan Solo costs €11.95.';
const TRAIN = 'The night train leaves Vienna at 19:42 and reaches Venice at 8:24. It runs 4 days a week.';
const CAKE = 'Take 250 g of butter, 180 g of sugar and 4 eggs. Bake for 35 minutes at 175 °C.';
const CITY =
  'The town had 48,200 inhabitants in 1990 and 61,700 in 2020. Of its 340 buses 85 are electric. The budget is €212 million.';
const RUN = 'Lena Hoff won in 2:31:18. Ada Brandt was second in 2:33:05. The course is 42.195 km long.';
const BRIDGE =
  'Work began on 3 May 1931 and ended on 27 April 1934. The bridge is 1,280 m long and 27 m wide.';
const WEATHER =
  'It was 20 °C on Monday and 30 °C on Tuesday. The pitch is 10 m by 5 m. The ferry leaves at 11 pm and takes 2 h.';
const ROWS: Row[] = [
  {
    source: WEATHER,
    text: 'The temperature rose by {}.',
    right: '18 °F',
    wrong: ['50 °F', '50 °C'],
    expression: '30 °C - 20 °C',
  },
  {
    source: WEATHER,
    text: 'The pitch covers {}.',
    right: '50 m²',
    wrong: ['50 hectares', '50 km²', '€50'],
    expression: '10 m * 5 m',
  },
  {
    source: WEATHER,
    text: 'The ferry arrives at {}.',
    right: '1 am',
    wrong: ['1 pm'],
    expression: '11 pm + 2 h',
  },
  {
    source: POOL,
    text: 'Two adults and two children pay {}.',
    right: '€29.50',
    wrong: ['€28.50', '€24.25', '€19.00'],
    expression: '2 * 9.50 + 2 * 5.25',
    question: 'What do two adults and two children pay?',
  },
  {
    source: POOL,
    text: 'With the card a visit costs {}.',
    right: '€8',
    wrong: ['€7.50', '€8.50', '€12.50'],
    expression: '80 / 10',
  },
  {
    source: POOL,
    text: 'The card saves {} on ten visits.',
    right: '€15',
    wrong: ['€25', '€14'],
    expression: '10 * 9.50 - 80',
  },
  {
    source: PHONE,
    text: 'Plan Duo costs {} in the first year.',
    right: '€264.30',
    wrong: ['€239.90', '€254.30', '€269.30'],
    expression: '12 * 19.95 + 24.90',
  },
  {
    source: PHONE,
    text: 'Plan Duo costs {} more a month than Plan Solo.',
    right: '€8',
    wrong: ['€9', '€31.90', '€12.95'],
    expression: '19.95 - 11.95',
    quote: 'Plan Duo costs €19.95 a month and has 40 GB',
  },
  {
    source: PHONE,
    text: 'That is about {} for each GB.',
    right: '€0.50',
    wrong: ['€0.60', '€2'],
    expression: '19.95 / 40',
  },
  {
    source: TRAIN,
    text: 'The journey takes {}.',
    right: '12 hours 42 minutes',
    wrong: ['11 hours 42 minutes', '14 hours', '12 hours 18 minutes'],
    expression: '8:24 - 19:42',
  },
  {
    source: CAKE,
    text: 'You need about {} of butter.',
    right: '8.8 ounces',
    wrong: ['10 ounces', '8 ounces', '12 ounces'],
    expression: '250 / 28.35',
  },
  {
    source: CAKE,
    text: 'Bake it at about {}.',
    right: '350 °F',
    wrong: ['400 °F', '325 °F', '175 °F'],
    expression: '175 * 1.8 + 32',
  },
  {
    source: CAKE,
    text: 'Butter and sugar together are {}.',
    right: '430 g',
    wrong: ['470 g', '450 g'],
    expression: '250 + 180',
  },
  {
    source: CITY,
    text: 'The town grew by {} people.',
    right: '13,500',
    wrong: ['12,500', '15,500', '14,000'],
    expression: '61700 - 48200',
  },
  {
    source: CITY,
    text: 'The town grew by {} in thirty years.',
    right: '28 %',
    wrong: ['22 %', '38 %'],
    expression: '(61700 - 48200) / 48200',
  },
  {
    source: CITY,
    text: 'About {} of the buses are electric.',
    right: '25 %',
    wrong: ['40 %', '15 %'],
    expression: '85 / 340',
  },
  {
    source: CITY,
    text: 'The budget is about {} for each inhabitant.',
    right: '€3,436',
    wrong: ['€2,900', '€4,400'],
    expression: '212000000 / 61700',
  },
  {
    source: RUN,
    text: 'Hoff was {} faster than Brandt.',
    right: '1 minute 47 seconds',
    wrong: ['2 minutes 47 seconds', '1 minute 13 seconds'],
    expression: '2:33:05 - 2:31:18',
  },
  {
    source: RUN,
    text: 'The course is about {} long.',
    right: '26.2 miles',
    wrong: ['24 miles', '28 miles', '42 miles'],
    expression: '42.195 / 1.609',
  },
  {
    source: BRIDGE,
    text: 'Building took {}.',
    right: '1,090 days',
    wrong: ['1,120 days', '1,000 days'],
    expression: '27 April 1934 - 3 May 1931',
  },
  {
    source: BRIDGE,
    text: 'The deck covers about {} square metres.',
    right: '34,560',
    wrong: ['32,000', '36,500'],
    expression: '1280 * 27',
  },
  {
    source: BRIDGE,
    text: 'It is about {} long.',
    right: '4,200 feet',
    wrong: ['4,500 feet', '3,800 feet'],
    expression: '1280 / 0.3048',
  },
  {
    source: 'Der Kurs kostet 148 Euro, Mitglieder zahlen 25 % weniger. Er dauert 6 Abende.',
    language: 'de',
    text: 'Mitglieder zahlen {}.',
    right: '111 Euro',
    wrong: ['123 Euro', '118 Euro'],
    expression: '148 - 25%',
  },
  {
    source: 'Un billet coûte 14,50 euros, un billet réduit 9 euros.',
    language: 'fr',
    text: 'Trois billets coûtent {}.',
    right: '43,50 euros',
    wrong: ['45,30 euros', '40 euros', '34 euros'],
    expression: '3 * 14,50',
    question: 'Combien coûtent trois billets ?',
  },
];

async function marks(row: Row, number: string, hasCalculation: boolean): Promise<number> {
  const { source, text, expression, question = '', quote, language = 'en' } = row;
  const evidence = await Evidence.of([{ text: source, language }], language);
  const quoted = quote ? [findQuotation(quote, evidence)!.place] : [];
  const calculations = hasCalculation ? [{ expression, result: number }] : [];
  const statement = { text: text.replace('{}', number), cited: [0], quoted };
  const checks = await checkStatements([statement], evidence, { language, given: question, calculations });
  return checks[0]!.findings.filter(isHard).length;
}

describe('a number that was worked out', () => {
  const right = ROWS.map((row): [string, string, Row] => [row.text, row.right, row]);
  it.each(right)('%s %s stands with its calculation', async (_text, number, row) =>
    expect(await marks(row, number, true)).toBe(0),
  );

  const wrong = ROWS.flatMap((row) => row.wrong.map((one): [string, string, Row] => [row.text, one, row]));
  it.each(wrong)('%s %s is marked, with and without one', async (_text, number, row) =>
    expect([await marks(row, number, true), await marks(row, number, false)]).toEqual([1, 1]),
  );
});
