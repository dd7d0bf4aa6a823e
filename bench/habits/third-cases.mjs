import { BUDGET, KERN } from './talks.mjs';

/** A third set of replies, written after the reader had been fitted to the others. `open`: what is not solved yet. */
const cases = [];
const each = (name, talk, list) => {
  for (let i = 0; i < list.length; i += 3) {
    const piece = list.slice(i, i + 3);
    const reply = piece.map(([sentence]) => sentence).join(' ');
    const text = piece.map(([, kept]) => kept);
    cases.push({
      group: 'numbers, third set',
      name: `${name} ${i / 3 + 1}`,
      talk,
      reply,
      text,
      request: { outputLanguage: talk.language },
    });
  }
};
each('en3', BUDGET, [
  ['Dana paid off a mortgage of $312,000 in 7.5 years.', /312,000 in 7\.5/],
  ['They bought the house in 2009, after the crash.', /2009/],
  ['The rate was 5.125%, fixed for 30 years.', /5\.125%/],
  ['The monthly payment was $1,698, principal plus interest.', /1,698/],
  ['Her husband drove for UPS while she taught in Duluth.', /UPS/],
  ['With 26 half payments you make 13 full payments a year.', /26 half.*13 full/],
  ['That takes about 4 years off a 30-year loan.', /30-year/],
  ['They flipped the 50/30/20 rule: 50% of income went to the house.', /50\/30\/20.*50%/],
  ['The grocery budget was $100 a week for four.', /\$100 a week/],
  ['In 2014 they refinanced at 3.25% and kept paying the old amount.', /2014.*3\.25%/],
  ['She admits that the S&P 500 returned roughly 10% a year.', /S&P 500.*10%/],
  ['The last payment was made on March 3, 2017, at 3:50 p.m.', /March 3, 2017.*3:50/],
  ['Credit card debt at 22% should be paid first.', /22%/],
  ['Take the employer match on your 401(k) before paying extra.', /401\(k\)/],
  ['She would do it again, but only with 6 months (half a year) of expenses saved.', /6 months/],
  ['The loan ran from 2009 to 2017, about eight years.', /2009 to 2017/],
  ['Biweekly payments mean one extra payment (13 instead of 12) a year.', /13 instead of 12/],
  ['Half of the income, i.e. 50 percent, went into the mortgage.', /50 percent/],
]);
each('de3', KERN, [
  ['Das Haus von 1973 hat 140 m² Dachfläche.', /1973.*140 m²/],
  ['Der Dachdecker verlangte 37.500 Euro.', /37\.500/],
  ['Selbst gemacht kostete es knapp 14.000 Euro, rund 37 %.', /14\.000/],
  ['Auf den Quadratmeter kommen 11 Ziegel, bestellt wurden 1.600.', /1\.600/],
  ['Die KfW gab 15 % für die Dämmung dazu.', /KfW.*15 %/],
  ['Zu zweit dauerte es 3,5 Wochen, täglich von 6:30 bis 18 Uhr.', /3,5 Wochen.*6:30 bis 18/],
  ['Die Dämmung ist 24 cm dick (WLG 035).', /24 cm.*035/],
  ['Statt 3.000 Litern Öl brauchten sie nur 1.800 Liter.', /3\.000 Lit.*1\.800/],
  ['Das sind 40 % weniger bei 1,10 Euro pro Liter.', /40 %.*1,10/],
  ['Nachbar Szczepański fiel vom Gerüst und war anderthalb Monate, also 6 Wochen, krank.', /Szczep/],
  ['Gespart werden rund 20.000 Euro.', /20\.000/],
  ['Sicherung anlegen, auch für 5 Minuten, rät Korbinian.', /Sicherung/],
]);
cases.push({
  group: 'numbers, third set',
  name: 'a difference that was computed',
  talk: KERN,
  reply:
    'Der Unterschied zum Angebot beträgt 23.500 Euro. Das Haus hat 140 Quadratmeter Dach. Der Dachdecker verlangte 37.500 Euro.',
  text: [/23\.500/],
  request: { outputLanguage: 'de' },
  open: 'numbers that a model computes are taken for invented',
});
// Numbers that nobody said, and one that was computed.
cases.push({
  group: 'numbers, third set',
  request: {},
  name: 'junk numbers en3',
  talk: BUDGET,
  reply:
    'Dana paid off a mortgage of $312,000 in 7.5 years. The house had 2,450 square feet. Tomasz earned $83,000. They refinanced in 2014.',
  text: [/312,000/, /2014/],
  junk: [/2,450/, /83,000/],
});
cases.push({
  group: 'numbers, third set',
  request: {},
  name: 'junk numbers de3',
  talk: KERN,
  reply:
    'Das Haus hat 140 Quadratmeter Dach. Das Gerüst kostete 4.300 Euro. Es wurden 1.600 Ziegel bestellt. Die Garantie läuft 27 Jahre.',
  text: [/140/, /1\.600/],
  junk: [/4\.300/, /27 Jahre/],
  request: { outputLanguage: 'de' },
});
const P1 =
  'Dana explains how she and her husband paid off their mortgage early with biweekly payments and half of their income.';
const P2 = 'She concludes that she would do it again, but only with six months of expenses in the bank.';
const TEXT = P1 + '\n\n' + P2;
const K = [/biweekly payments and half/, /only with six months/];
const PTS = [
  [0, 'Biweekly payments amount to thirteen full payments a year.', 'so thirteen full ones a year'],
  [64, 'Credit card debt should be paid off first.', 'pay that first, always'],
  [128, 'Take the employer match before paying extra.', 'take the match before you pay a cent extra'],
];
const KP = [
  [/thirteen full/, 40],
  [/Credit card/, 120],
  [/employer match/, 128],
];
const SECS = [
  [0, 'Buying the house', 'The loan and its rate.'],
  [64, 'Advice', 'Debt, match and savings.'],
];
const KS = [/Buying the house — The loan/, /Advice — Debt/];
const pl = (f) => PTS.map(([t, c, q], i) => f(t, c, q, i)).join('\n'),
  sl = (f) => SECS.map(([t, a, b], i) => f(t, a, b, i)).join('\n');
const P = (t, c, q) => `- [${t}] ${c} "${q}"`,
  S = (t, a, b) => `- [${t}] ${a} | ${b}`;
const mm = (t) => `${Math.floor(t / 60)}:${String(t % 60).padStart(2, '0')}`;
const add = (name, reply, exp = {}, request = {}, talk = BUDGET) =>
  cases.push({
    group: 'form, third set',
    name: name.slice(3),
    talk,
    reply,
    request,
    text: K,
    points: KP,
    sections: KS,
    ...exp,
  });
add(
  'f: blank lines between bullets',
  `${TEXT}\n\nKEY POINTS\n\n${pl(P).replace(/\n/g, '\n\n')}\n\nSECTIONS\n\n${sl(S).replace(/\n/g, '\n\n')}`,
);
add(
  'f: nested bullets',
  `${TEXT}\n\nKEY POINTS\n${pl((t, c, q) => `- [${t}]\n  - ${c}\n  - "${q}"`)}\n\nSECTIONS\n${sl((t, a, b) => `- [${t}]\n  - ${a}\n  - ${b}`)}`,
);
add(
  'f: html list',
  `<p>${P1}</p>\n<p>${P2}</p>\n<h3>KEY POINTS</h3>\n<ul>\n${pl((t, c, q) => `<li>[${t}] ${c} "${q}"</li>`)}\n</ul>\n<h3>SECTIONS</h3>\n<ul>\n${sl((t, a, b) => `<li>[${t}] ${a} | ${b}</li>`)}\n</ul>`,
  { junk: [/<|li>|\/p/] },
);
add(
  'f: letters as bullets',
  `${TEXT}\n\nKEY POINTS\n${pl((t, c, q, i) => `${'abc'[i]}) [${t}] ${c} "${q}"`)}\n\nSECTIONS\n${sl((t, a, b, i) => `${'AB'[i]}. [${t}] ${a} | ${b}`)}`,
);
add(
  'f: roman',
  `${TEXT}\n\nKEY POINTS\n${pl((t, c, q, i) => `${['i', 'ii', 'iii'][i]}. [${t}] ${c} "${q}"`)}\n\nSECTIONS\n${sl((t, a, b, i) => `${['I', 'II'][i]}. [${t}] ${a} | ${b}`)}`,
);
add(
  'f: everything bold',
  `**${P1}**\n\n**${P2}**\n\n**KEY POINTS**\n${pl((t, c, q) => `- **[${t}] ${c}** "${q}"`)}\n\n**SECTIONS**\n${sl((t, a, b) => `- **[${t}] ${a}** | ${b}`)}`,
  { junk: [/\*/] },
);
add(
  'f: italics point',
  `${TEXT}\n\n*KEY POINTS*\n${pl((t, c, q) => `- [${t}] *${c}* "${q}"`)}\n\n*SECTIONS*\n${sl((t, a, b) => `- [${t}] *${a}* | ${b}`)}`,
  { junk: [/\*/] },
);
add(
  'f: linked times',
  `${TEXT}\n\nKEY POINTS\n${pl((t, c, q) => `- [${mm(t)}](https://youtu.be/budget00000?t=${t}) ${c} "${q}"`)}\n\nSECTIONS\n${sl((t, a, b) => `- [${mm(t)}](https://youtu.be/budget00000?t=${t}) ${a} | ${b}`)}`,
  { junk: [/youtu/] },
);
add(
  'f: hh:mm:ss,mmm srt',
  `${TEXT}\n\nKEY POINTS\n${pl((t, c, q) => `- [00:0${mm(t)},000 --> 00:0${mm(t + 5)},000] ${c} "${q}"`)}\n\nSECTIONS\n${sl((t, a, b) => `- [00:0${mm(t)}.000] ${a} | ${b}`)}`,
);
add(
  'f: 1m4s',
  `${TEXT}\n\nKEY POINTS\n${pl((t, c, q) => `- [${Math.floor(t / 60)}m${t % 60}s] ${c} "${q}"`)}\n\nSECTIONS\n${sl((t, a, b) => `- [${Math.floor(t / 60)}m ${t % 60}s] ${a} | ${b}`)}`,
);
add(
  'f: several times',
  `${TEXT}\n\nKEY POINTS\n${pl((t, c, q) => `- [${t}][${t + 9}] ${c} "${q}"`)}\n\nSECTIONS\n${sl(S)}`,
);
add(
  'f: three headings german in english',
  `## Zusammenfassung\n${TEXT}\n\n## Kernaussagen\n${pl(P)}\n\n## Abschnitte\n${sl(S)}`,
  { junk: [/Zusammen|Kern/] },
);
add('f: summary last', `KEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}\n\nOverall summary:\n${TEXT}`);
add(
  'f: conclusion after lists',
  `${P1}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}\n\nIn conclusion, she would do it again, but only with six months of expenses in the bank.`,
  { text: [/biweekly payments and half/] },
);
add('f: answer in a blockquote', `> ${P1}\n>\n> ${P2}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}`, {
  junk: [/^>/m],
});
add(
  'f: json array of points then text',
  JSON.stringify([
    { type: 'summary', text: TEXT },
    { type: 'key_points', items: PTS.map(([t, c, q]) => ({ t, text: c, quote: q })) },
    { type: 'sections', items: SECS.map(([t, a, b]) => ({ t, title: a, text: b })) },
  ]),
  { junk: [/\{/] },
);
add(
  'f: json with string lists of times',
  JSON.stringify({
    summary: TEXT,
    key_points: PTS.map(([t, c, q]) => ({ timestamp: `[${mm(t)}]`, key_point: c, supporting_quote: q })),
    sections: SECS.map(([t, a, b]) => ({
      time_range: `${mm(t)}-${mm(t + 60)}`,
      section_title: a,
      section_summary: b,
    })),
  }),
);
add(
  'f: tuples in a dict of Python',
  `{'summary': "${TEXT.replace(/\n/g, '\\n')}", 'key_points': [${PTS.map(([t, c, q]) => `(${t}, '${c}', '${q}')`).join(', ')}]}`,
  { sections: [], open: 'tuples inside of a list are not read' },
);
add(
  'f: talk after the answer',
  `${TEXT}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}\n\n---\n\nFeel free to ask if you need a longer version!`,
  { junk: [/Feel free/] },
);
add(
  'f: label Title',
  `Title: How we paid off our house early\n\nSummary: ${P1} ${P2}\n\nKey Points:\n${pl(P)}\n\nSections:\n${sl(S)}`,
  { junk: [/Title:|Summary:/] },
);
add(
  'f: step labels',
  `Step 1: Summary\n${TEXT}\n\nStep 2: Key points\n${pl(P)}\n\nStep 3: Sections\n${sl(S)}`,
  { junk: [/Step \d/] },
);
add('f: part labels', `1. SUMMARY\n${TEXT}\n\n2. KEY POINTS\n${pl(P)}\n\n3. SECTIONS\n${sl(S)}`, {
  junk: [/SUMMARY/],
});
add('f: tldr', `TL;DR: ${P2}\n\n${P1}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}`, { junk: [/TL;DR/] });
add('f: advert copied', `${P1} Use code DANA15 for fifteen percent off the planner. ${P2}`, {
  points: [],
  sections: [],
});
add(
  'f: first person',
  `In this video I explain how we paid off our mortgage early with biweekly payments and half of our income. I would do it again, but only with six months of expenses in the bank.`,
  { text: [/biweekly payments and half/, /only with six months/], points: [], sections: [] },
);
add(
  'f: you advice kept',
  `${P1} If you have credit card debt, pay that first, and if your employer matches your 401k, take the match. ${P2}`,
  { text: [...K, /pay that first/], points: [], sections: [] },
);
add(
  'f: I quote at the start',
  `"I slept better, and that's worth a couple of percent to me," says Dana about paying off her mortgage early. ${P1} ${P2}`,
  { text: [...K, /slept better/], points: [], sections: [] },
);
add(
  'f: unfortunately as content',
  `Unfortunately, mathematically it would have been better to invest in the S&P 500, which Dana admits. ${P1} ${P2}`,
  { text: [...K, /mathematically/], points: [], sections: [] },
);
add(
  'f: no thinking tags but Thought:',
  `Thought: I need to summarize the mortgage talk in about 100 words.\nFinal Answer: ${TEXT}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}`,
  { junk: [/Thought|I need to|Final Answer/] },
);
add('f: assistant: prefix', `Assistant: ${TEXT}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}`, {
  junk: [/Assistant/],
});
add(
  'f: tool call wrapper',
  JSON.stringify({
    name: 'write_summary',
    arguments: {
      summary: TEXT,
      key_points: PTS.map(([t, c, q]) => ({ t, claim: c, quote: q })),
      sections: SECS.map(([t, a, b]) => ({ t, title: a, summary: b })),
    },
  }),
);
add(
  'f: arguments string',
  JSON.stringify({
    name: 'write_summary',
    arguments: JSON.stringify({
      summary: TEXT,
      key_points: PTS.map(([t, c, q]) => ({ t, claim: c, quote: q })),
      sections: SECS.map(([t, a, b]) => ({ t, title: a, summary: b })),
    }),
  }),
  { junk: [/write_summary|\{/] },
);
add('f: latex', `\\section*{Summary}\n${TEXT}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}`, {
  junk: [/\\section/],
});
add(
  'f: trailing repeat of heading',
  `${TEXT}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}\n\nKEY POINTS\nSECTIONS`,
  {},
);
add('f: ellipsis stub', '…', { text: [], points: [], sections: [], error: 'upstream_invalid', calls: 2 });
for (const [l, r] of [
  ['en', 'I must respectfully decline to summarize this material, as it offers financial advice.'],
  ['en', 'The video transcript seems to be about personal finance. Could you please provide more details?'],
  ['en', 'As a responsible AI, I am not comfortable producing this.'],
  ['en', 'Error: context length exceeded.'],
  ['en', '[No content]'],
  ['en', 'Hello! How can I assist you today?'],
  ['de', 'Dazu kann ich leider nichts sagen.'],
  ['de', 'Hallo! Wie kann ich Ihnen heute helfen?'],
  ['fr', 'Bonjour ! Comment puis-je vous aider aujourd’hui ?'],
  ['es', '¡Hola! ¿En qué puedo ayudarte hoy?'],
  ['it', 'Questo video offre spunti interessanti e consigli utili per tutti.'],
  ['pt', 'Este vídeo apresenta informações valiosas e interessantes sobre vários assuntos.'],
])
  cases.push({
    group: 'refusals, third set',
    name: 'refusal ' + l + ' ' + r.slice(0, 40),
    talk: BUDGET,
    reply: r,
    error: 'upstream_invalid',
    calls: 2,
    junk: [/\p{L}/u],
    request: { outputLanguage: l },
  });

export { cases as thirdCases };
