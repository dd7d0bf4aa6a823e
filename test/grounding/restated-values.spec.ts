import { checkStatements } from '../../lib/grounding/check-statements.js';
import { Evidence } from '../../lib/grounding/evidence.js';
import type { Language } from '../../lib/text/languages.js';

/** What a source says, and how a sentence may rightly say it. */
const RESTATED: [Language, string, string][] = [
  ['en', 'Take it two times daily with food.', 'You should take it twice a day.'],
  ['en', '50 percent of the respondents agreed with it.', 'Half of the respondents agreed.'],
  ['en', 'About 33% of the users left the platform.', 'Roughly a third of the users left.'],
  ['en', 'It was built in 1994 by the city council.', 'It dates from the 1990s.'],
  ['en', 'It was launched on 14 July 2021 in Rome.', 'It was launched in mid-July 2021.'],
  ['en', 'It takes 30 minutes to bake the bread.', 'Baking takes half an hour.'],
  ['en', 'The flight lasts 90 minutes on average.', 'The flight takes an hour and a half.'],
  ['en', 'The warranty covers 12 months of use.', 'It has a one-year warranty.'],
  ['en', 'The trial ends after 14 days of use.', 'You get a two-week trial.'],
  ['en', 'It has 1,500,000 inhabitants today.', 'About 1.5 million people live there.'],
  ['en', 'Revenue was 1.2 billion euros last year.', 'Revenue came to €1.2bn.'],
  ['en', 'The ticket is 5 dollars for adults.', 'A ticket costs $5.'],
  ['en', 'The war began in 1914 in Europe.', 'It is a war of the 20th century.'],
  ['en', 'People aged 65 and older get in free.', 'Over-65s get in free.'],
  ['en', 'We are open from 09:00 to 17:00 daily.', 'It is open from 9am to 5pm.'],
  ['en', 'Water boils at 100 °C at sea level.', 'Water boils at 100 degrees (212 °F).'],
  ['en', 'The limit is 100 km/h on this road.', 'The limit is 100 km/h (62 mph).'],
  ['en', 'He is 178 cm tall, the club says.', 'He is about 1.78 m tall.'],
  ['en', 'The new chip is ten times faster than before.', 'It is 10x faster.'],
  ['en', 'The share rose from 12 to 15 percent.', 'It rose by 3 percentage points.'],
  ['en', 'Three quarters of the land is desert there.', '75 percent of the land is desert.'],
  ['en', 'The price fell from $50 to $40 in May.', 'It is 20% cheaper now.'],
  ['en', 'The meeting is on 5 November in Paris.', 'The meeting is on Nov. 5.'],
  ['en', 'It is the third largest lake in the country.', 'It is the 3rd largest lake.'],
  ['en', 'It weighs 2.2 pounds without the battery.', 'It weighs about 1 kg.'],
  ['en', 'Python 3.12 was released in October 2023.', 'Python 3.12 came out in October 2023.'],
  ['en', 'The Boeing 737 seats up to 189 people.', 'A Boeing 737 can carry up to 189 passengers.'],
  [
    'en',
    'You need four eggs, two onions and 500 g of flour.',
    'You need 4 eggs, 2 onions and half a kilo of flour.',
  ],
  ['en', 'The first edition sold 12,450 copies.', 'The first edition sold over 12,000 copies.'],
  ['en', 'The dose is 400 mg every 8 hours as needed.', 'Take 400 mg three times a day.'],
  ['en', 'It costs £9.99 a month or £99 a year.', 'It costs around £10 a month.'],
  ['en', 'The tower is 330 metres tall since 2022.', 'The tower stands 330 m (1,083 ft) tall.'],
  [
    'en',
    'In 2020 there were 20 members, in 2023 there were 45.',
    'Membership more than doubled between 2020 and 2023.',
  ],
  ['en', 'Opened in 1889, it closed in 1939 for good.', 'It was open for 50 years.'],
  ['en', 'The film is 132 minutes long and rated 12.', 'The film runs for 2 hours and 12 minutes.'],
  [
    'en',
    'The battery has 5000 mAh and charges in 45 min.',
    'It has a 5,000 mAh battery that charges in three quarters of an hour.',
  ],
  [
    'en',
    'Sales: 2021 3.4m, 2022 4.1m, 2023 5.0m units.',
    'Sales grew from 3.4 million in 2021 to 5 million in 2023.',
  ],
  ['en', 'Sections 3 to 5 of the act deal with rents.', 'Sections 3–5 deal with rents.'],
  ['en', 'Use the A4 and leave at exit 12 for the zoo.', 'Take the A4 to exit 12.'],
  ['en', 'It needs at least 8 GB of RAM to run.', 'You need 8GB of RAM or more.'],
  ['en', 'Ages 6 to 12 pay half of the adult price of 18 euros.', 'Children from 6 to 12 pay €9.'],
  ['en', 'The law came into force on 1 January 2024.', 'Since 1 January 2024 the law has applied.'],
  ['en', 'The first moon landing took place on July 20, 1969.', 'It took place on 20 July 1969.'],
  ['en', 'There are 24 teams in six groups of four.', 'The 24 teams play in 6 groups of 4.'],
  ['en', 'Founded in 1998, the firm has 3 founders.', 'The company was founded in 1998 by three people.'],
  ['de', 'Die Fahrt dauert 90 Minuten mit dem Zug.', 'Die Fahrt dauert anderthalb Stunden.'],
  ['de', 'Rund 50 Prozent der Befragten stimmten zu.', 'Etwa die Hälfte der Befragten stimmte zu.'],
  ['de', 'Der Eintritt kostet 12,50 Euro pro Person.', 'Der Eintritt kostet 12,50 €.'],
  ['de', 'Das Haus wurde 1994 gebaut und 2010 saniert.', 'Das Haus stammt aus den 1990er-Jahren.'],
  ['de', 'Geöffnet von 9 bis 17 Uhr außer montags.', 'Es ist von 9:00 bis 17:00 Uhr geöffnet.'],
  ['de', 'Die Frist beträgt 14 Tage ab Erhalt der Ware.', 'Sie haben zwei Wochen Zeit.'],
  ['de', 'Etwa 1,2 Millionen Menschen leben in der Stadt.', 'Die Stadt hat rund 1.200.000 Einwohner.'],
  ['de', 'Am 3. Oktober 1990 wurde die Einheit vollzogen.', 'Die Einheit kam am 3.10.1990.'],
  ['de', 'Die Strecke ist 1500 m lang und eben.', 'Die Strecke misst 1,5 km.'],
  ['de', 'Zwei Drittel der Mitglieder müssen zustimmen.', 'Rund 67 Prozent der Mitglieder müssen zustimmen.'],
  ['de', 'Man braucht ein halbes Kilo Mehl und zwei Eier.', 'Man braucht 500 g Mehl und 2 Eier.'],
  [
    'de',
    'Ab dem 1. Januar 2025 gilt der neue Satz von 19 %.',
    'Seit Januar 2025 gilt der Satz von 19 Prozent.',
  ],
  ['de', 'Das Gerät wiegt 1,3 kg und hat 16 GB Speicher.', 'Es wiegt 1300 Gramm.'],
  ['de', 'Die Kündigungsfrist beträgt drei Monate.', 'Sie beträgt ein Vierteljahr.'],
  ['de', 'Der Kurs beginnt um 18.30 Uhr im Saal.', 'Der Kurs beginnt um 18:30 Uhr.'],
  ['de', 'Der Film dauert 135 Minuten ohne Abspann.', 'Der Film dauert 2 Stunden und 15 Minuten.'],
  ['fr', 'Le trajet dure 90 minutes en moyenne.', 'Le trajet dure une heure et demie.'],
  ['fr', 'La moitié des sondés sont favorables.', '50 % des sondés sont favorables.'],
  ['fr', 'Le musée ouvre de 9h30 à 18h tous les jours.', 'Il est ouvert de 9 h 30 à 18 h.'],
  ['fr', 'Il coûte 1 200 euros par mois charges comprises.', 'Le loyer est de 1200 € par mois.'],
  ['fr', 'Environ 2,5 millions de visiteurs sont venus.', 'Il y a eu près de 2 500 000 visiteurs.'],
  ['fr', 'Le délai est de quinze jours après réception.', 'Vous avez deux semaines.'],
  ['fr', 'La loi date du 1er juillet 2019.', 'La loi est entrée en vigueur le 1er juillet 2019.'],
  ['fr', 'Une douzaine de personnes ont été blessées.', 'Environ 12 personnes ont été blessées.'],
  ['fr', 'Un tiers des logements sont vacants.', 'Environ 33 % des logements sont vides.'],
  ['fr', 'Comptez 250 g de farine et trois œufs.', 'Il faut 250 grammes de farine et 3 œufs.'],
  ['fr', 'Depuis 1995, la ville compte 20 arrondissements.', 'La ville a vingt arrondissements.'],
  ['es', 'El viaje dura 90 minutos en tren.', 'El viaje dura una hora y media.'],
  ['es', 'La mitad de los encuestados está de acuerdo.', 'El 50 % de los encuestados está de acuerdo.'],
  ['es', 'Cuesta 1.200 euros al mes con gastos.', 'Cuesta 1200 € al mes.'],
  ['es', 'Abre de 9:00 a 17:00 de lunes a viernes.', 'Abre de nueve a cinco.'],
  ['es', 'Tiene 2,5 millones de habitantes.', 'Tiene unos 2.500.000 habitantes.'],
  ['es', 'El plazo es de quince días hábiles.', 'El plazo es de dos semanas hábiles, 15 días.'],
  ['es', 'Se fundó el 12 de octubre de 1978.', 'Se fundó en octubre de 1978.'],
  ['es', 'Un tercio de las viviendas está vacío.', 'El 33 por ciento de las viviendas está vacío.'],
  ['it', 'Il viaggio dura 90 minuti in treno.', 'Il viaggio dura un’ora e mezza.'],
  ['it', 'La metà degli intervistati è d’accordo.', 'Il 50% degli intervistati è d’accordo.'],
  ['it', 'Costa 1.200 euro al mese.', 'Costa 1200 € al mese.'],
  ['it', 'Ha 2,5 milioni di abitanti.', 'Ha circa 2.500.000 abitanti.'],
  ['it', 'È stato fondato il 12 ottobre 1978.', 'È stato fondato nell’ottobre del 1978.'],
  ['it', 'Un terzo delle case è vuoto.', 'Circa il 33 per cento delle case è vuoto.'],
  ['it', 'Apre dalle 9 alle 17.', 'È aperto dalle 9:00 alle 17:00.'],
  ['pt', 'A viagem dura 90 minutos de comboio.', 'A viagem dura uma hora e meia.'],
  ['pt', 'Metade dos inquiridos concorda.', '50% dos inquiridos concordam.'],
  ['pt', 'Custa 1.200 euros por mês.', 'Custa 1200 € por mês.'],
  ['pt', 'Tem 2,5 milhões de habitantes.', 'Tem cerca de 2.500.000 habitantes.'],
  ['pt', 'Foi fundado a 12 de outubro de 1978.', 'Foi fundado em outubro de 1978.'],
  ['pt', 'Um terço das casas está vazio.', 'Cerca de 33 por cento das casas está vazio.'],
  ['pt', 'Tem dezanove quartos.', 'Tem 19 quartos.'],
  // Counted up to the current year.
  ['en', 'The bridge was opened in 1894.', 'The bridge is 132 years old.'],
  ['en', 'The bridge was opened in 1894.', 'The bridge was opened more than 130 years ago.'],
  ['de', 'Die Halle wurde im Mai 2019 eröffnet.', 'Die Halle wurde vor sieben Jahren eröffnet.'],
];
/** What a source says, and how a sentence may get it wrong. */
const MISSTATED: [Language, string, string][] = [
  ['en', 'Founded in 1998, the firm has 3 founders.', 'The company is over 40 years old.'],
  ['en', 'The price fell from $50 to $40 in May.', 'It is 35% cheaper now.'],
  ['en', 'The bridge was opened in 1894.', 'The bridge is 140 years old.'],
  ['de', 'Die Halle wurde im Mai 2019 eröffnet.', 'Die Halle wurde vor neun Jahren eröffnet.'],
  ['de', 'Zwei Drittel der Mitglieder müssen zustimmen.', 'Rund 45 Prozent der Mitglieder müssen zustimmen.'],
  ['de', 'Der Kurs beginnt um 18.30 Uhr im Saal.', 'Der Kurs beginnt um 17:30 Uhr.'],
  ['fr', 'Le trajet dure 90 minutes en moyenne.', 'Le trajet dure deux heures et demie.'],
  ['es', 'Se fundó el 12 de octubre de 1978.', 'Se fundó en noviembre de 1978.'],
  ['it', 'Un terzo delle case è vuoto.', 'Circa il 53 per cento delle case è vuoto.'],
  ['pt', 'Tem dezanove quartos.', 'Tem 16 quartos.'],
];

async function unfounded(
  language: Language,
  said: string,
  sentence: string,
): Promise<(string | undefined)[]> {
  const evidence = await Evidence.of([{ text: said, about: 'Page\n2024-09-12', language }], language);
  const quoted = [{ source: 0, start: 0, end: said.length }];
  const options = { language, given: 'What?', today: new Date('2026-03-04T12:00:00Z') };
  const [check] = await checkStatements([{ text: sentence, cited: [0], quoted }], evidence, options);
  return check!.findings.flatMap(({ reason, about }) => (reason === 'value' ? [about] : []));
}

it.each(RESTATED)('%s: "%s" is also "%s"', async (language, said, sentence) =>
  expect(await unfounded(language, said, sentence)).toEqual([]),
);

it.each(MISSTATED)('%s: "%s" is not "%s"', async (language, said, sentence) =>
  expect(await unfounded(language, said, sentence)).not.toEqual([]),
);
