import { DATABASES, HARBOUR } from './talks.mjs';

/** A fourth set of replies, written to see what deletions in the reader cost. `open`: what is not solved yet. */
const cases = [];
const add = (group, name, reply, expected, { talk = HARBOUR, request = {} } = {}) =>
  cases.push({ group: `${group}, fourth set`, name, talk, reply, request, ...expected });

const P1 =
  'The talk tells how the harbour in Lisbon was rebuilt after a flood. The plan cost 25 million, and the city forgot the fishermen.';
const P2 = 'The speaker concludes that a harbour needs people more than cranes.';
const TEXT = `${P1}\n\n${P2}`;
const kept = {
  text: [/harbour in Lisbon was rebuilt after a flood/, /cost 25 million/, /needs people more than cranes/],
  points: [
    [/Lisbon was rebuilt/, 6],
    [/cost 25 million/, 42],
    [/fishermen were forgotten/, 126],
  ],
};
const whole = { ...kept, sections: [/^The rebuilding — How it began/, /^Daily life — Ships, ferries/] };
const POINTS = [
  [0, 'The harbour in Lisbon was rebuilt.', 'the harbour in lisbon was rebuilt'],
  [0, 'The whole plan cost 25 million.', 'the whole plan cost twenty five million'],
  [120, 'The fishermen were forgotten.', 'the city did wrong was to forget the fishermen'],
];
const SECTIONS = [
  [0, 'The rebuilding', 'How it began and what it cost.'],
  [60, 'Daily life', 'Ships, ferries and visitors today.'],
];
const pointLines = (line = (t, claim, quote) => `- [${t}] ${claim} "${quote}"`) =>
  POINTS.map(([t, claim, quote], i) => line(t, claim, quote, i + 1)).join('\n');
const sectionLines = (line = (t, title, told) => `- [${t}] ${title} | ${told}`) =>
  SECTIONS.map(([t, title, told]) => line(t, title, told)).join('\n');
const written = ({ text = TEXT, points = pointLines(), sections = sectionLines() } = {}) =>
  `${text}\n\nKEY POINTS\n${points}\n\nSECTIONS\n${sections}`;

const form = (name, reply, expected = whole) => add('form', name, reply, expected);
const label = (name, line, junk) =>
  form(name, written({ points: pointLines(line) }), { ...whole, junk: [junk] });
label('counted labels', (t, claim, quote, n) => `- [${t}] Point ${n}: ${claim} "${quote}"`, /Point \d/);
label(
  'counted labels before the time',
  (t, claim, quote, n) => `Takeaway #${n} – [${t}] ${claim} "${quote}"`,
  /Takeaway/,
);
label(
  'counted labels with a full stop',
  (t, claim, quote, n) => `Key Point ${n}. [${t}] ${claim} "${quote}"`,
  /Key Point/,
);
label('numbers with a sharp sign', (t, claim, quote, n) => `#${n} [${t}] ${claim} "${quote}"`, /#\d/);
label('quotations in a tag', (t, claim, quote) => `- [${t}] ${claim} <quote>${quote}</quote>`, /<\/?quote/);
form(
  'HTML on one line',
  `<p>${P1}</p><p>${P2}</p><h3>KEY POINTS</h3><ul>${pointLines((t, claim, quote) => `<li>[${t}] ${claim} <q>${quote}</q></li>`)}</ul><h3>SECTIONS</h3><ul>${sectionLines((t, title, told) => `<li>[${t}] ${title} | ${told}</li>`)}</ul>`,
  { ...whole, junk: [/<\w/] },
);
form(
  'times in brackets behind the title',
  written({
    sections:
      '1. The rebuilding (0:00–1:00): How it began and what it cost.\n2. Daily life (1:00–2:36): Ships, ferries and visitors today.',
  }),
);
form(
  'tables with heads',
  `${TEXT}\n\n## Key points\n\n| Time | Point | Quote |\n|---|---|---|\n${pointLines((t, claim, quote) => `| ${t} | ${claim} | "${quote}" |`)}\n\n## Sections\n| Start | Title | Summary |\n|:--|:--|:--|\n${sectionLines((t, title, told) => `| ${t} | ${title} | ${told} |`)}`,
  { ...whole, junk: [/\bTime\b.*\bPoint\b/, /^Point/m, /Start/, /\bTitle\b/] },
);
form(
  'emoji as bullets',
  `📝 Summary\n${TEXT}\n\n🔑 Key points\n${pointLines((t, claim, quote) => `✅ [${t}] ${claim} "${quote}"`)}\n\n📚 Sections\n${sectionLines((t, title, told) => `▶️ [${t}] ${title} | ${told}`)}`,
  {
    ...whole,
    junk: [/[📝🔑✅📚▶]/u],
  },
);
form(
  'a draft before the final answer',
  `Draft: The harbour cost 99 million euros.\n\n**Final answer**\n\n${written()}`,
  { ...whole, junk: [/99 million/], open: 'a draft without any mark is taken for the summary' },
);
add(
  'form',
  'a sentence for each chapter, without titles and times',
  `The talk tells how a database finds a needle.\n\nSECTIONS\n${DATABASES.chapters.map(({ title }, i) => `- This is what part ${i + 1} says about ${title.split(':')[0].toLowerCase()}.`).join('\n')}`,
  { sections: DATABASES.chapters.map(({ title }) => new RegExp(`^${title}`)) },
  { talk: DATABASES },
);

const loop = (name, reply, junk, expected = { text: kept.text }) =>
  add('loops', name, reply, { ...expected, junk: [junk] });
loop('words at the end', `${TEXT} The harbour ${'is the harbour '.repeat(200)}`, /(is the harbour ){5}/);
loop(
  'a sentence',
  `${TEXT} ${'The city forgot the fishermen again. '.repeat(60)}`,
  /(forgot the fishermen again\. ?){3}/,
);
loop('one word', `${TEXT} harbour${' harbour'.repeat(400)}`, /(harbour ){6}/);
loop(
  'inside a key point',
  `${TEXT}\n\nKEY POINTS\n${pointLines()}\n- [60] The ferry crosses the river ${'and the river '.repeat(150)}`,
  /(and the river ){6}/,
  kept,
);

for (const reply of [
  'As an AI language model, I don’t have access to YouTube and cannot watch videos. Please paste the transcript here.',
  'Sure! Please provide the transcript of the video, and I’ll be happy to summarize it for you.',
  'I’m sorry, but I can’t summarize the talk about the harbour in Lisbon, because it may be protected by copyright.',
  'I am unable to provide a summary of this video about how Lisbon got its harbour back. The content may violate our policy.',
  'Desculpe, mas não consigo resumir este vídeo sobre o porto de Lisboa.',
  'Mi dispiace, non posso riassumere questo video sul porto di Lisbona.',
  'Content policy violation: the request was blocked.',
])
  add('refusals', reply.slice(0, 50), reply, { error: 'upstream_invalid', calls: 2, junk: [/\p{L}/u] });

add(
  'points',
  'an invented quotation behind a translated point',
  'Der Vortrag erzählt, wie der Hafen in Lissabon nach einer Flut neu gebaut wurde. Der Plan kostete 25 Millionen.\n\nKEY POINTS\n- [120] Die Fischer wurden vergessen. "the city did wrong was to forget the fishermen"\n- [60] Der Hafen wurde an einen Milliardär verkauft. "the harbour was sold to a billionaire from texas"',
  { points: [[/Fischer/, 126]], junkPoints: [/Milliard/] },
  { request: { outputLanguage: 'de' } },
);
add(
  'points',
  'an invented quotation',
  written({
    points: `${pointLines()}\n- [60] The mayor resigned over the harbour. "the mayor of lisbon resigned over the harbour"`,
  }),
  { ...whole, junkPoints: [/mayor/] },
);

export { cases as fourthCases, P1, P2, POINTS, SECTIONS, TEXT, pointLines, sectionLines, whole, written };
