import {
  CACAO,
  CANALE,
  DATABASES,
  ETUDE,
  GARTEN,
  HARBOUR,
  LONG,
  MEETING,
  MERCADO,
  NOTICE,
} from './talks.mjs';
import { moreCases } from './more-cases.mjs';
import { thirdCases } from './third-cases.mjs';
import { fourthCases } from './fourth-cases.mjs';
import { fifthCases } from './fifth-cases.mjs';

/**
 * Replies in the habits of weak and strong models, each with what is true in it (`text`, `points`, `sections`: patterns that must
 * reach the caller) and what is junk (`junk`: patterns that must not, neither in the result nor in the stream). `finding`: found when the product
 * was used; the others are shapes that issue threads of the AI SDK, LangChain, Ollama, vLLM, LiteLLM, llama.cpp and of other summarizers report.
 */

const TEXT =
  'The talk tells how the harbour in Lisbon was rebuilt after a flood. The plan cost 25 million, and the city forgot the fishermen.\n\nThe speaker concludes that a harbour needs people more than cranes.';
const KEPT_TEXT = [
  /harbour in Lisbon was rebuilt after a flood/,
  /cost 25 million/,
  /needs people more than cranes/,
];
const POINTS = [
  '- [0] The harbour in Lisbon was rebuilt. "the harbour in lisbon was rebuilt"',
  '- [0] The whole plan cost 25 million. "the whole plan cost twenty five million"',
  '- [120] The fishermen were forgotten. "the city did wrong was to forget the fishermen"',
];
const KEPT_POINTS = [
  [/Lisbon was rebuilt/, 6],
  [/cost 25 million/, 42],
  [/fishermen were forgotten/, 126],
];
const SECTIONS = [
  '- [0] The rebuilding | How it began and what it cost.',
  '- [60] Daily life | Ships, ferries and visitors today.',
];
const KEPT_SECTIONS = [/^The rebuilding — How it began/, /^Daily life — Ships, ferries/];
const written = ({
  text = TEXT,
  points = POINTS,
  sections = SECTIONS,
  heads = ['KEY POINTS', 'SECTIONS'],
} = {}) => [text, '', heads[0], ...points, '', heads[1], ...sections].join('\n');
const whole = { text: KEPT_TEXT, points: KEPT_POINTS, sections: KEPT_SECTIONS };
const THOUGHT =
  'Okay, the user wants a summary of the harbour talk in about 85 words. Let me draft it.\n\nThe harbour cost 99 million is a draft.\n\nKEY POINTS\n- [6] a drafted point about cranes "the last crane was sold to oslo"\n\nNow I will write the final answer.';
const THOUGHT_JUNK = [
  /user wants/i,
  /draft/i,
  /99 million/,
  /final answer/,
  /<\/?think|<\||\[\/?THINK|◁|<channel/i,
];
const one = (sentence, { quote, second = 0 } = {}) =>
  `${TEXT} ${sentence}\n\nKEY POINTS\n${POINTS.join('\n')}\n- [${second}] ${sentence}${quote ? ` "${quote}"` : ''}`;

const cases = [];
const add = (group, name, talk, reply, expected = {}, request = {}) =>
  cases.push({ group, name, finding: group.startsWith('finding'), talk, reply, request, ...expected });

// ---- What was found when the product was used ----
add(
  'finding 1: reasoning',
  'closed block before the answer',
  HARBOUR,
  `<think>\n${THOUGHT}\n</think>\n\n${written()}`,
  {
    ...whole,
    junk: THOUGHT_JUNK,
  },
);
add(
  'finding 1: reasoning',
  'block that is never closed, then the answer',
  HARBOUR,
  [`<think>\n${THOUGHT}`, written()],
  {
    ...whole,
    junk: THOUGHT_JUNK,
  },
);
add(
  'finding 1: reasoning',
  'claims drafted while reading a part',
  LONG,
  (prompt, call) =>
    prompt.includes('"points"')
      ? `<think>Maybe {"t": 593, "claim": "A draft claim about the gardener number 159.", "quote": "the gardener number 159"}</think>{"points":[{"t":${first(prompt)},"claim":"${sentenceAt(prompt)}","quote":"${quoteAt(prompt)}"}]}`
      : call.default(),
  { junk: [/draft claim/] },
  { method: 'recursive' },
);
for (const [said, quote, claim, kept] of [
  ['a year', 'rebuilt in nineteen ninety nine', 'The story begins in 1999 with a flood.', /in 1999 with/],
  [
    'a later year',
    'in twenty twenty one the last crane',
    'In 2021 the last crane was sold to Oslo.',
    /In 2021/,
  ],
  [
    'a price',
    'first pier cost twelve fifty euro',
    'The first pier cost 12.50 Euro a square metre.',
    /12\.50 Euro/,
  ],
  [
    'a decade',
    'in the 90s nobody wanted to live',
    'In the 1990s nobody wanted to live near the water.',
    /1990s/,
  ],
  ['a half', 'half of the old warehouses', 'About 50 % of the old warehouses were torn down.', /50 %/],
  [
    'a quarter',
    'a quarter of the workers came',
    'About 25 % of the workers came from Porto.',
    /25 % of the workers/,
  ],
  ['a third', 'one third of the money', 'About 33 % of the money came from the European Union.', /33 %/],
  ['a dozen', 'it would take a dozen years', 'The engineer expected it to take 12 years.', /12 years/],
  [
    'a time of day',
    'every morning at half past eight',
    'Every morning at 8:30 the ferry crosses the river.',
    /8:30/,
  ],
  ['an ordinal', 'on the twenty first of october', 'On October 21 the first ship came in.', /October 21/],
  ['thousands', 'fifteen hundred boats use', 'About 1.5k boats use the harbour now.', /1\.5k boats/],
  ['a share', 'nine out of ten visitors', 'Of the visitors 90 % would come back.', /90 %/],
]) {
  add('finding 2: numbers', `${said} that was spoken`, HARBOUR, one(claim, { quote }), {
    text: [...KEPT_TEXT, kept],
    points: [...KEPT_POINTS, [kept]],
  });
}
add('finding 2: numbers', 'a number that nobody said', HARBOUR, one('The plan cost 640 million dollars.'), {
  text: KEPT_TEXT,
  junk: [/640/],
});
for (const [talk, language, text, kept] of [
  [
    GARTEN,
    'de',
    'Der Garten begann 1999 mit drei Beeten. In den 1990er Jahren lag hier Schotter. Etwa 50 % der Fläche gehören den Kindern, 25 % der Ernte gehen an die Tafel. Ein Quadratmeter kostet 12,50 Euro. Um 8:30 Uhr öffnet Frau Öztürk das Tor. Seit 2021 steht das Gewächshaus für 3,5 Millionen Euro. Rund 90 % der Familien bleiben. Es gibt 24 Hochbeete und 1.200 Setzlinge.',
    [/1999/, /1990er/, /50 %/, /12,50/, /8:30/, /2021/, /3,5 Mill/, /90 %/, /24 Hoch/, /1\.200/],
  ],
  [
    ETUDE,
    'fr',
    'Il présente une étude : 75 % des cultures dépendent des insectes. Elle a commencé en 1999 dans la Drôme. En 2021, 50 % des ruches ont disparu. Environ 33 % du budget vient de l’Union européenne. On compte les abeilles à 8h30. Une ruche coûte 12,50 euros par mois. Pour 90 % des agriculteurs, planter des haies est acceptable. Il faut environ 12 ans pour une haie.',
    [/étude : 75 %/, /1999/, /2021, 50 %/, /33 %/, /8h30/, /12,50/, /90 %/, /12 ans/],
  ],
  [
    CACAO,
    'es',
    'La cooperativa nació en 1999 en Tumaco. El 50 % de las familias vivía de la pesca. El 33 % del dinero vino de la Unión Europea. Una libra cuesta 12,50 en el mercado. A las 8:30 llega el camión de Cali. En 2021 vendieron 3,5 millones de kilos. El 90 % de los socios son mujeres.',
    [/1999/, /50 %/, /33 %/, /12,50/, /8:30/, /2021/, /3,5 mill/, /90 %/],
  ],
  [
    CANALE,
    'it',
    'I lavori sono cominciati nel 1999. Il 50 % delle case era vuoto. Il 33 % dei soldi è arrivato dall’Unione europea. Un metro costa 12,50. Alle 8:30 passa il battello. Nel 2021 sono arrivati 1.200 turisti al giorno. Il 90 % delle persone vorrebbe tornare.',
    [/1999/, /50 %/, /33 %/, /12,50/, /8:30/, /2021/, /1\.200/, /90 %/],
  ],
  [
    MERCADO,
    'pt',
    'O mercado abriu em 1999. Cerca de 50 % das bancas estavam fechadas. Um total de 33 % do dinheiro veio da União Europeia. Uma banca custa 12,50 por dia. Às 8:30 chega o peixe de Setúbal. Em 2021 vieram 16 mil pessoas. No mercado, 90 % dos clientes voltam.',
    [/1999/, /50 %/, /33 %/, /12,50/, /8:30/, /2021/, /16 mil/, /90 %/],
  ],
]) {
  add(
    'finding 2: numbers',
    `spoken numbers in ${language}`,
    talk,
    text,
    { text: kept },
    { outputLanguage: language },
  );
  add(
    'finding 2: numbers',
    `made up numbers in ${language}`,
    talk,
    text.replace(/1999/, '1873').replace(/12,50/, '740,80'),
    { text: kept.filter((one) => !/1999|12,50/.test(one.source)), junk: [/1873/, /740/] },
    { outputLanguage: language },
  );
}
for (const [name, quote, claim] of [
  ['TFT', 'with a t f t display', 'She measured the tides with a TFT display.'],
  ['NASA', 'n a s a took pictures', 'The agency NASA took pictures of the bay from above.'],
  ['UI', 'the u i of the booking system', 'In the end the UI of the booking system was ugly but it worked.'],
  ['AI', 'the a i that plans the cranes', 'To plan the cranes, the AI was trained on old logs.'],
  ['EU', 'came from the european union', 'One third of the money came from the EU.'],
  ['US', 'the united states sent', 'A delegation of the US came to learn from it.'],
  [
    'a name misheard',
    'the engineer annabelle kiroga said',
    'It would take a dozen years, said Anabel Quiroga.',
  ],
]) {
  add('finding 3: names', `${name} as captions write it`, HARBOUR, one(claim, { quote, second: 60 }), {
    text: KEPT_TEXT,
    points: [...KEPT_POINTS, [new RegExp(claim.slice(0, -1).replace(/[.?]/g, '\\$&'))]],
  });
}
add(
  'finding 3: names',
  'the decision of a meeting',
  MEETING,
  `The group decides to use the TFT display and to drop speech recognition. The UI has 11 buttons, and the API follows next week.\n\nKEY POINTS\n- [0] A TFT display is expensive, but users like it. "display costs too much but the users like it"\n- [60] The UI has only 11 buttons. "should have only eleven buttons"\n- [60] The budget is 12.50 Euro a device, sold for 25. "twelve euro fifty for each device"\n- [60] The group decides for the TFT display. "we decide to use the t f t display"\n- [120] Sarah defines the API next week. "will be defined next week by sarah"`,
  {
    text: [/TFT display and to drop/, /11 buttons/],
    points: [
      [/TFT display is expensive/, 15],
      [/UI has only 11/, 60],
      [/12\.50 Euro a device/, 75],
      [/decides for the TFT/, 105],
    ],
  },
);
add(
  'finding 3: names',
  'a name that nobody said',
  HARBOUR,
  one('In the end Roberto Castellani paid for the pier.', { quote: 'the first pier cost twelve fifty' }),
  {
    text: KEPT_TEXT,
    points: KEPT_POINTS,
    junkPoints: [/Castellani/],
    warns: ['points_dropped'],
  },
);
const DB_TEXT =
  'A database promises durability. It writes to a log first, finds rows with a B-tree, and moves money in transactions. The speaker concludes that boring databases are the best ones.';
const DB_KEPT = [
  /^A promise in one word — /,
  /^Write it down first — .*log/,
  /^Finding a needle: indexes — B-trees find rows/,
  /^All or nothing: transactions — A transfer happens/,
  /^What to take home — /,
];
const DB_LINES = [
  'Durability is promised.',
  'Changes go to a log first.',
  'B-trees find rows in four steps.',
  'A transfer happens whole or not at all.',
  'Backups must be tested.',
];
const DB_TIMES = [0, 40, 100, 160, 200];
for (const [name, line] of [
  ['as asked', (i) => `- [${DB_TIMES[i]}] ${DB_LINES[i]}`],
  ['title, colon, sentence', (i) => `- [${DB_TIMES[i]}] ${DATABASES.chapters[i].title}: ${DB_LINES[i]}`],
  ['bold title', (i) => `- [${DB_TIMES[i]}] **${DATABASES.chapters[i].title}** – ${DB_LINES[i]}`],
  ['title | sentence', (i) => `- [${DB_TIMES[i]}] ${DATABASES.chapters[i].title} | ${DB_LINES[i]}`],
  [
    'clock times',
    (i) =>
      `- [0${Math.floor(DB_TIMES[i] / 60)}:${String(DB_TIMES[i] % 60).padStart(2, '0')}] ${DATABASES.chapters[i].title} - ${DB_LINES[i]}`,
  ],
  [
    'times that were invented',
    (i) => `- [${DB_TIMES[i] + 7}] ${DATABASES.chapters[i].title}: ${DB_LINES[i]}`,
  ],
]) {
  add(
    'finding 4: sections',
    `chapters, ${name}`,
    DATABASES,
    `${DB_TEXT}\n\nKEY POINTS\n- [40] A change is written to a log. "the change is written to a log"\n\nSECTIONS\n${DB_LINES.map((_, i) => line(i)).join('\n')}`,
    {
      sections: DB_KEPT,
      sectionTimes: DB_TIMES,
    },
  );
}
add(
  'finding 4: sections',
  'invented times without chapters',
  HARBOUR,
  written({
    sections: [
      '- [11] The rebuilding | How it began and what it cost.',
      '- [77] Daily life | Ships, ferries and visitors today.',
      '- [4000] Never | Not there.',
    ],
  }),
  {
    sections: KEPT_SECTIONS,
    sectionTimes: [0, 60],
    junk: [/Never/],
  },
);
for (const [name, mark] of [
  ['bold marks', (n) => `**[${n}]**`],
  ['bold marks and a colon', (n) => `**[${n}]:**`],
  ['ranges', (n) => `[${n}-${n + 55}]`],
  ['ranges with words', (n) => `[${n} to ${n + 55}]`],
  ['clock times', (n) => `[${Math.floor(n / 60)}:${String(n % 60).padStart(2, '0')}]`],
  ['times in round brackets', (n) => `(${Math.floor(n / 60)}:${String(n % 60).padStart(2, '0')})`],
  ['seconds with a unit', (n) => `[${n}s]`],
]) {
  const marked = (line) => line.replace(/\[(\d+)\]/, (_, n) => mark(Number(n)));
  add(
    'finding 5: reader',
    name,
    HARBOUR,
    written({ points: POINTS.map(marked), sections: SECTIONS.map(marked) }),
    whole,
  );
}
add(
  'finding 5: reader',
  'a dash in place of the separator',
  HARBOUR,
  written({ sections: SECTIONS.map((line) => line.replace(' | ', ' - ')) }),
  whole,
);
add(
  'finding 5: reader',
  'a colon in place of the separator',
  HARBOUR,
  written({ sections: SECTIONS.map((line) => line.replace(' | ', ': ')) }),
  whole,
);
add(
  'finding 5: reader',
  'headings in the output language',
  GARTEN,
  'Der Garten am Bahnhof begann mit drei Beeten. Am Ende schaffen Nachbarn mehr als ein Amt.\n\nWICHTIGE PUNKTE\n* **[0]** Angefangen hat es mit drei Beeten. "neunzehnhundertneunundneunzig mit drei beeten"\n* **[60]** Das Gewächshaus kam 2021. "kam das gewächshaus dazu"\n\nABSCHNITTE\n* **[0]** Anfang | Wie es begann.\n* **[60]** Heute | Was daraus wurde.',
  {
    text: [/mit drei Beeten/, /mehr als ein Amt/],
    points: [
      [/drei Beeten/, 10],
      [/Gewächshaus kam 2021/, 70],
    ],
    sections: [/^Anfang — /, /^Heute — /],
    junk: [/WICHTIGE PUNKTE|ABSCHNITTE|\*\*/],
  },
  { outputLanguage: 'de' },
);
for (const [name, reply, junk] of [
  ['Here is the summary:', `Here is the summary:\n\n${written()}`, /Here is/],
  [
    'Sure! Here is …',
    `Sure! Here's a concise summary of the video in English:\n\n${written()}`,
    /Sure|Here's/,
  ],
  ['heading Summary', `# Summary\n\n${written()}`, /^Summary/m],
  ['heading SUMMARY:', `SUMMARY:\n${written()}`, /SUMMARY/],
  ['bold heading', `**Summary**\n\n${written()}`, /\bSummary\b/],
  ['code fence', '```markdown\n' + written() + '\n```', /markdown|```/],
]) {
  add('finding 5: reader', name, HARBOUR, reply, { ...whole, junk: [junk] });
}
add(
  'finding 5: reader',
  'a JSON object around everything',
  HARBOUR,
  JSON.stringify({
    summary: TEXT,
    key_points: POINTS.map((line) => line.slice(2)),
    sections: [
      { title: 'The rebuilding', start: 0, summary: 'How it began and what it cost.' },
      { title: 'Daily life', start: 60, summary: 'Ships, ferries and visitors today.' },
    ],
  }),
  {
    ...whole,
    junk: [/[{}]|"summary"|\\n/],
  },
);
add(
  'finding 5: reader',
  'points without a time whose quotations tell it',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(/\[\d+\] /, '')) }),
  whole,
);
for (const [language, refusal] of [
  ['en', "I'm sorry, but I can't help with that request."],
  [
    'en',
    'Unfortunately, I cannot provide a summary of this video because it may contain copyrighted material.',
  ],
  ['de', 'Es tut mir leid, aber dabei kann ich leider nicht helfen.'],
  ['fr', 'Je suis désolé, mais je ne peux pas répondre à cette demande.'],
  ['es', 'Lo siento, pero no puedo ayudar con esa solicitud.'],
  ['it', 'Mi dispiace, ma non posso aiutarti con questa richiesta.'],
  ['pt', 'Desculpe, mas não posso ajudar com esse pedido.'],
]) {
  add(
    'finding 6: refusals',
    `refused twice in ${language}: ${refusal.slice(0, 24)}…`,
    HARBOUR,
    refusal,
    { error: 'upstream_invalid', calls: 2, junk: [/\p{L}/u] },
    { outputLanguage: language },
  );
}
add(
  'finding 6: refusals',
  'refused once',
  HARBOUR,
  ["I'm sorry, but I can't help with that request.", written()],
  { ...whole, calls: 2, junk: [/sorry/] },
);
add(
  'finding 6: refusals',
  'empty talk',
  HARBOUR,
  'This video covers a range of fascinating topics and offers valuable insights for viewers. It is informative, engaging and thought-provoking.',
  { error: 'upstream_invalid', calls: 2, junk: [/\p{L}/u] },
);
add(
  'finding 6: refusals',
  'asks for the transcript',
  HARBOUR,
  'Please provide the transcript of the video, and I will gladly summarize it for you.',
  { error: 'upstream_invalid', calls: 2, junk: [/\p{L}/u] },
);
const GERMAN =
  'Der Vortrag erzählt, wie der Hafen in Lissabon nach einer Flut neu gebaut wurde. Der Plan hat 25 Millionen gekostet, und die Stadt hat die Fischer vergessen.';
const GERMAN_POINTS = [
  '- [0] Der Hafen in Lissabon wurde neu gebaut. "the harbour in lisbon was rebuilt"',
  '- [0] Der ganze Plan hat 25 Millionen gekostet. "the whole plan cost twenty five million"',
  '- [120] Die Fischer wurden vergessen. "was to forget the fishermen"',
];
const GERMAN_SECTIONS = [
  '- [0] Der Neubau | Wie es begann und was es gekostet hat.',
  '- [60] Der Alltag | Schiffe, Fähren und Besucher in der Stadt von heute.',
];
add(
  'finding 6: language',
  'German text with English points, twice',
  HARBOUR,
  written({ text: GERMAN, sections: GERMAN_SECTIONS }),
  {
    text: [/Hafen in Lissabon/],
    points: KEPT_POINTS,
    calls: 2,
    honoured: false,
  },
  { outputLanguage: 'de' },
);
add(
  'finding 6: language',
  'English twice where German was asked',
  HARBOUR,
  written(),
  {
    text: KEPT_TEXT,
    calls: 2,
    honoured: false,
  },
  { outputLanguage: 'de' },
);
add(
  'finding 6: language',
  'English once, then German',
  HARBOUR,
  [written(), written({ text: GERMAN, points: GERMAN_POINTS, sections: GERMAN_SECTIONS })],
  {
    text: [/Hafen in Lissabon/],
    points: [
      [/neu gebaut/, 6],
      [/25 Millionen/, 42],
      [/Fischer/, 126],
    ],
    calls: 2,
    honoured: true,
    junk: [/harbour/],
  },
  { outputLanguage: 'de' },
);
add(
  'finding 6: language',
  'quotations that were translated',
  HARBOUR,
  written({
    text: GERMAN,
    points: GERMAN_POINTS.map((line) => line.replace(/"[^"]*"/, '"der Hafen in Lissabon wurde neu gebaut"')),
    sections: GERMAN_SECTIONS,
  }),
  { text: [/Hafen in Lissabon/], points: [[/neu gebaut/], [/25 Millionen/], [/Fischer/]], honoured: true },
  { outputLanguage: 'de' },
);
add(
  'finding 7: length',
  'forty words of transcript',
  NOTICE,
  'The library is closed on Monday and opens again on Tuesday at ten.\n\nKEY POINTS\n- [0] The library is closed on Monday. "will be closed on monday because"',
  {
    text: [/closed on Monday/],
    points: [[/closed on Monday/, 0]],
    asks: [/about 1\d words/, /up to 1 line\b/],
    unasked: [/SECTIONS/, /180/],
  },
);
add(
  'finding 7: length',
  'eight points asked, thirteen notes',
  LONG,
  (prompt, call) => call.default(),
  { mostPoints: 8 },
  { method: 'recursive' },
);
add('finding 8: advertising', 'every prompt excludes it', HARBOUR, written(), {
  asks: [/sponsors or calls to subscribe/, /material's language/, /concluded/],
});
add('finding 8: prefix', 'prompts in two languages begin alike', HARBOUR, written(), { samePrefix: 'de' });
add('finding 9: grounding', 'a faithful text', HARBOUR, written(), { grounding: [0.99, 1] });
add(
  'finding 9: grounding',
  'a text on something else',
  HARBOUR,
  written({
    text: 'The orchestra rehearsed a symphony by Mahler. Violins carried the melody, and trumpets answered from the balcony. The conductor smiled at the audience.',
  }),
  { grounding: [0, 0.4] },
);
add(
  'finding 9: spacing',
  'French spacing before a colon',
  ETUDE,
  'Il présente une étude : les cultures dépendent des insectes. Sa conclusion est simple : sans haies, il n’y a pas d’abeilles !',
  { text: [/étude : les/, /simple : sans/, /abeilles !/] },
  { outputLanguage: 'fr' },
);

// ---- Reasoning, as servers leave it in the text ----
for (const [name, wrap] of [
  ['<thinking>', (t) => `<thinking>${t}</thinking>`],
  ['<thought>, EXAONE and Gemini', (t) => `<thought>\n${t}\n</thought>\n`],
  ['<reasoning>', (t) => `<reasoning>${t}</reasoning>\n`],
  ['<mm:think>, MiniMax', (t) => `<mm:think>${t}</mm:think>`],
  ['<seed:think>, Seed-OSS', (t) => `<seed:think>${t}</seed:think>`],
  ['[THINK], Magistral', (t) => `[THINK]${t}[/THINK]`],
  ['◁think▷, Kimi', (t) => `◁think▷${t}◁/think▷`],
  [
    '<|begin_of_thought|>, OpenThinker',
    (t) => `<|begin_of_thought|>\n${t}\n<|end_of_thought|>\n\n<|begin_of_solution|>`,
  ],
  ['<|START_THINKING|>, Cohere', (t) => `<|START_THINKING|>${t}<|END_THINKING|><|START_RESPONSE|>`],
  ['<|channel>thought, Gemma 4', (t) => `<|channel>thought\n${t}\n<channel|>`],
  [
    'Harmony channels, gpt-oss',
    (t) => `<|channel|>analysis<|message|>${t}<|end|><|start|>assistant<|channel|>final<|message|>`,
  ],
  ['Harmony without its tokens', (t) => `analysis${t}assistantfinal`],
  ['only the closing tag, GLM and DeepSeek templates', (t) => `${t}</think>`],
  ['two blocks', (t) => `<think>${t}</think>\n\n<think>\nAnd again.\n</think>\n\n`],
]) {
  add('reasoning', name, HARBOUR, `${wrap(THOUGHT)}${written()}`, {
    ...whole,
    // What came before a lone closing tag may have been streamed; the stream is begun anew then.
    junk: THOUGHT_JUNK,
    unstreamed: !name.startsWith('only the closing'),
  });
}
add(
  'reasoning',
  'a sentence about the tag itself',
  HARBOUR,
  written({ text: `${TEXT} The harbour log calls it <think> in the old form.` }),
  whole,
);
add(
  'reasoning',
  'control tokens at the end, and talk to itself',
  HARBOUR,
  `${written()}<|im_end|>\n<|im_start|>user\nThank you! Now tell me about Mahler.<|im_end|>`,
  { ...whole, junk: [/im_end|Mahler|Thank you/] },
);
add('reasoning', '</s> at the end', HARBOUR, `${written()}</s>`, { ...whole, junk: [/<\/s>/] });
add(
  'reasoning',
  'thinking aloud without tags in another language than asked',
  HARBOUR,
  `Okay, let me think about what the user wants here. I should write it in German.\n\n${written({ text: GERMAN, points: GERMAN_POINTS, sections: GERMAN_SECTIONS })}`,
  { text: [/Hafen in Lissabon/], junkStream: [/let me think/] },
  { outputLanguage: 'de' },
);

// ---- Forms ----
add('form', 'a title above', HARBOUR, `# How Lisbon Got Its Harbour Back\n\n${written()}`, {
  ...whole,
  junk: [/Got Its Harbour Back/],
});
add(
  'form',
  'a title in bold, then a rule',
  HARBOUR,
  `**How Lisbon Got Its Harbour Back**\n\n---\n\n${written()}\n\n---`,
  { ...whole, junk: [/Got Its Harbour Back|---/] },
);
add('form', 'Summary: on the same line', HARBOUR, `**Summary:** ${written()}`, {
  ...whole,
  junk: [/Summary:|\*\*/],
});
add(
  'form',
  'XML tags around the parts',
  HARBOUR,
  `<summary>\n${TEXT}\n</summary>\n\n<key_points>\n${POINTS.join('\n')}\n</key_points>\n\n<sections>\n${SECTIONS.join('\n')}\n</sections>`,
  { ...whole, junk: [/<\/?(?:summary|key_points|sections)>/] },
);
add(
  'form',
  'headings ### and numbered entries',
  HARBOUR,
  written({
    heads: ['### Key Points', '### Sections'],
    points: POINTS.map((line, i) => `${i + 1}. ${line.slice(2)}`),
    sections: SECTIONS.map((line, i) => `${i + 1}. ${line.slice(2)}`),
  }),
  { ...whole, junk: [/###|Key Points/] },
);
add(
  'form',
  'headings **Key Points:** and •',
  HARBOUR,
  written({
    heads: ['**Key Points:**', '**Sections:**'],
    points: POINTS.map((line) => line.replace(/^-/, '•')),
    sections: SECTIONS.map((line) => line.replace(/^-/, '•')),
  }),
  { ...whole, junk: [/Key Points/] },
);
add('form', 'headings with other words', HARBOUR, written({ heads: ['## Main Takeaways', '## Timeline'] }), {
  ...whole,
  junk: [/Takeaways|Timeline/],
});
add(
  'form',
  'headings nobody foresaw',
  HARBOUR,
  written({ heads: ['## What stays in mind', '## How it runs'] }),
  { ...whole, junk: [/stays in mind|How it runs/] },
);
add('form', 'no headings at all', HARBOUR, `${TEXT}\n\n${POINTS.join('\n')}`, {
  text: KEPT_TEXT,
  points: KEPT_POINTS,
});
add(
  'form',
  'the quotation on a line of its own',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(' "', '\n  "')) }),
  whole,
);
add(
  'form',
  'Quote: below',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(' "', '\n  - Quote: "')) }),
  whole,
);
add(
  'form',
  'curly quotation marks',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(/"([^"]*)"/, '“$1”')) }),
  whole,
);
add(
  'form',
  'guillemets',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(/"([^"]*)"/, '«$1»')) }),
  whole,
);
add(
  'form',
  'quotation in brackets after a dash',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(/"([^"]*)"/, '— ("$1")')) }),
  whole,
);
add(
  'form',
  'italic quotation',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(/"([^"]*)"/, '*"$1"*')) }),
  whole,
);
add(
  'form',
  'the time at the end',
  HARBOUR,
  written({ points: POINTS.map((line) => line.replace(/^- \[(\d+)\] (.*)$/, '- $2 [$1]')) }),
  whole,
);
add(
  'form',
  'a table',
  HARBOUR,
  `${TEXT}\n\n## Key Points\n\n| Time | Point | Quote |\n| --- | --- | --- |\n${POINTS.map((line) => line.replace(/^- \[(\d+)\] (.*?) ("[^"]*")$/, '| [$1] | $2 | $3 |')).join('\n')}\n\n## Sections\n\n| Time | Title | Summary |\n|:--|:--|:--|\n${SECTIONS.map((line) => line.replace(/^- (\[\d+\]) (.*)$/, '| $1 | $2 |')).join('\n')}`,
  { ...whole, junk: [/Time|---|\|/] },
);
add(
  'form',
  'the summary as a list',
  HARBOUR,
  written({
    text: TEXT.split(/(?<=\.)\s+/)
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  }),
  { ...whole, junk: [/^- /m] },
);
add(
  'form',
  'lists before the summary',
  HARBOUR,
  `KEY POINTS\n${POINTS.join('\n')}\n\nSECTIONS\n${SECTIONS.join('\n')}\n\nSUMMARY\n${TEXT}`,
  whole,
);
add('form', 'only lists', HARBOUR, `KEY POINTS\n${POINTS.join('\n')}\n\nSECTIONS\n${SECTIONS.join('\n')}`, {
  points: KEPT_POINTS,
  sections: KEPT_SECTIONS,
});
add(
  'form',
  'JSON in a fence, with talk around it',
  HARBOUR,
  'Sure! Here is the JSON:\n\n```json\n' +
    JSON.stringify(
      {
        summary: TEXT,
        keyPoints: POINTS.map((line) => ({
          time: Number(/\d+/.exec(line)[0]),
          point: /\] (.*?) "/.exec(line)[1],
          quote: /"(.*)"/.exec(line)[1],
        })),
        chapters: [
          { title: 'The rebuilding', timestamp: '0:00', description: 'How it began and what it cost.' },
          { title: 'Daily life', timestamp: '1:00', description: 'Ships, ferries and visitors today.' },
        ],
      },
      null,
      2,
    ) +
    '\n```\nI hope this helps!',
  { ...whole, junk: [/[{}]|```|hope|Sure/] },
);
add(
  'form',
  'JSON that is cut off',
  HARBOUR,
  JSON.stringify({ summary: TEXT, key_points: POINTS.map((line) => line.slice(2)) }).slice(0, -60),
  { text: KEPT_TEXT, points: KEPT_POINTS.slice(0, 2), junk: [/[{}]|key_points/] },
);
add(
  'form',
  'JSON with quotation marks that are not escaped',
  HARBOUR,
  `{"summary": "${TEXT.replace(/\n+/g, ' ')} It is called "the lesson" there.", "key_points": ["The whole plan cost 25 million. [0] "the whole plan cost twenty five million""]}`,
  { text: KEPT_TEXT, junk: [/[{}]|key_points/] },
);
add('form', 'word count below', HARBOUR, `${TEXT}\n\n(Word count: 41)`, {
  text: KEPT_TEXT,
  junk: [/Word count/],
});
add(
  'form',
  'closing remark',
  HARBOUR,
  `${TEXT}\n\nI hope this summary helps! Let me know if you would like me to change anything.`,
  { text: KEPT_TEXT, junk: [/hope|Let me know/] },
);
add('form', 'closing question', HARBOUR, `${TEXT}\n\nWould you like me to translate this summary?`, {
  text: KEPT_TEXT,
  junk: [/Would you/],
});
add(
  'form',
  'times in the prose',
  HARBOUR,
  written({ text: TEXT.replace('a flood.', 'a flood [0:12].').replace('fishermen.', 'fishermen (0–60).') }),
  { ...whole, junk: [/\[0:12\]|\(0–60\)/] },
);
add('form', 'the example lines copied', HARBOUR, `${written()}\n- [754] title | one sentence\n`, {
  ...whole,
  junk: [/one sentence/],
});
add(
  'form',
  'Markdown in the prose',
  HARBOUR,
  written({
    text: TEXT.replace('Lisbon', '**Lisbon**')
      .replace('25 million', '*25 million*')
      .replace('people', '`people`'),
  }),
  { ...whole, junk: [/[*`]/] },
);
add(
  'form',
  'cut off in the middle of the prose',
  HARBOUR,
  { text: `${TEXT} And then the cranes were`, finish: 'length' },
  { text: KEPT_TEXT, junk: [/cranes were/], warns: ['summary_truncated'] },
);
add(
  'form',
  'cut off in the middle of the points',
  HARBOUR,
  { text: written({ sections: [] }).split('\nSECTIONS')[0].slice(0, -30), finish: 'length' },
  { text: KEPT_TEXT, points: KEPT_POINTS.slice(0, 2) },
);

// ---- Loops ----
add(
  'loop',
  'the same sentence over and over',
  HARBOUR,
  `${TEXT} ${'The harbour is a harbour for people. '.repeat(80)}`,
  { text: KEPT_TEXT, once: /harbour is a harbour/g },
);
add('loop', 'the same word over and over', HARBOUR, `${TEXT} And it was ${'court '.repeat(2000)}`, {
  text: KEPT_TEXT,
  once: /court/g,
});
add(
  'loop',
  'the same point over and over',
  HARBOUR,
  `${TEXT}\n\nKEY POINTS\n${`${POINTS[1]}\n`.repeat(50)}`,
  { text: KEPT_TEXT, points: [KEPT_POINTS[1]], once: /whole plan cost/g },
);
add('loop', 'brackets over and over', HARBOUR, `${TEXT}\n\n${'['.repeat(4000)}`, {
  text: KEPT_TEXT,
  junk: [/\[\[\[/],
});

// ---- Notes of a part ----
const notesCase = (name, form, expected = {}) => {
  const claims = new Set();
  const reply = (prompt, call) => {
    if (!prompt.includes('"points"')) return call.default();
    const points = pointsOf(prompt);
    for (const { claim } of points) claims.add(claim);
    return form(points);
  };
  add(
    'notes',
    name,
    LONG,
    reply,
    { coverage: 1, noted: () => [...claims], ...expected },
    { method: 'recursive' },
  );
};
notesCase('JSON as asked', (points) => JSON.stringify({ points }));
notesCase(
  'in a fence, with talk',
  (points) => 'Here are the points:\n```json\n' + JSON.stringify({ points }, null, 2) + '\n```\nLet me know!',
);
notesCase(
  'after reasoning',
  (points) =>
    `<think>{"points":[{"t":1,"claim":"A draft claim that is made up.","quote":"x y z"}]}</think>${JSON.stringify({ points })}`,
  { junk: [/draft claim/] },
);
notesCase('a bare list with other names', (points) =>
  JSON.stringify(
    points.map(({ t, claim, quote }) => ({ timestamp: String(t), text: claim, evidence: quote })),
  ),
);
notesCase('tuples', (points) => JSON.stringify(points.map(({ t, claim, quote }) => [t, claim, quote])));
notesCase('an object by seconds', (points) =>
  JSON.stringify(
    Object.fromEntries(points.map(({ t, claim }) => [`${t}.${claim.length}`.split('.')[0], claim])),
  ),
);
notesCase('one object a line', (points) => points.map((point) => JSON.stringify(point)).join('\n'));
notesCase(
  'single quotes',
  (points) =>
    `{'points': [${points.map(({ t, claim, quote }) => `{'t': ${t}, 'claim': '${claim}', 'quote': '${quote}'}`).join(', ')}]}`,
);
notesCase(
  'trailing commas and comments',
  (points) => `{"points": [ // in order\n${points.map((point) => JSON.stringify(point)).join(',\n')},\n]}`,
);
notesCase(
  'quotation marks that are not escaped',
  (points) =>
    `{"points":[${points.map(({ t, claim, quote }) => `{"t":${t},"claim":"${claim.replace('number', '"number"')}","quote":"${quote}"}`).join(',')}]}`,
);
notesCase('cut off', (points) => JSON.stringify({ points }).slice(0, -25));
notesCase('lines with bold times', (points) =>
  points.map(({ t, claim, quote }) => `- **[${t}]** ${claim} "${quote}"`).join('\n'),
);
notesCase('lines with clock times', (points) =>
  points
    .map(
      ({ t, claim, quote }) =>
        `${Math.floor(t / 60)}:${String(t % 60).padStart(2, '0')} - ${claim} ("${quote}")`,
    )
    .map((line) => `* ${line}`)
    .join('\n'),
);
notesCase('plain sentences', (points) => points.map(({ claim }) => claim).join(' '));
notesCase('times as text, quotation as a list', (points) =>
  JSON.stringify({ points: points.map(({ t, claim, quote }) => ({ t: `[${t}]`, claim, quote: [quote] })) }),
);
notesCase('nested by section', (points) =>
  JSON.stringify({
    sections: [
      { title: 'A', points: points.slice(0, 2) },
      { title: 'B', points: points.slice(2) },
    ],
  }),
);
notesCase(
  'the schema repeated before',
  (points) =>
    `{"type":"object","properties":{"points":{"type":"array","items":{"type":"object"}}}}\n${JSON.stringify({ points })}`,
);

// ---- Addresses ----
for (const [name, text] of [
  ['a scheme after a colon', 'see:https://evil.example/x'],
  ['a reference link', '![p][a] there.\n\n[a]:https://evil.example/x.png\n\nAnd'],
  ['an image tag', '<img src="https://evil.example/x.png">'],
  ['javascript:', 'javascript:alert(1)'],
  ['a domain with a path', 'evil.zip/x'],
  ['a scheme with blanks', 'https ://evil.example'],
  ['an invisible character', 'https\u200b://evil.example'],
  ['a Markdown link', '[here](https://evil.example/x)'],
]) {
  add('address', name, HARBOUR, written({ text: `${TEXT} Visit ${text} now for the harbour.` }), {
    ...whole,
    junk: [/evil|javascript|https?:/],
  });
}
add('address', 'a name that was said', HARBOUR, written({ text: `${TEXT} The harbour.io of the bay.` }), {
  text: [/harbour\.io/],
});

cases.push(
  ...[...moreCases, ...thirdCases, ...fourthCases, ...fifthCases].map((one) => ({ ...one, finding: false })),
);

export { cases };

function first(prompt) {
  return Number(/\[(\d+)\] The/.exec(prompt)?.[1] ?? 0);
}
function sentenceAt(prompt) {
  return /\[\d+\] (The [^.]*\.)/.exec(prompt)?.[1] ?? '';
}
function quoteAt(prompt) {
  return sentenceAt(prompt).split(' ').slice(1, 8).join(' ').replace('.', '');
}
/** Six points of a part, as an able model gives them. */
function pointsOf(prompt) {
  const found = [...prompt.matchAll(/\[(\d+)\] (The [^.]*\.)/g)];
  const step = Math.max(1, Math.floor(found.length / 6));
  return found
    .filter((_, i) => i % step === 0)
    .slice(0, 6)
    .map(([, second, claim]) => ({
      t: Number(second),
      claim,
      quote: claim.split(' ').slice(1, 8).join(' ').replace('.', '').toLowerCase(),
    }));
}
