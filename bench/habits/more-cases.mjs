import { AULA, CHARLA, COFFEE, CONF, LEZIONE, SITZUNG } from './talks.mjs';

/** A second set of replies, on other talks; each was written before the reader was tried on it. The fields are those of cases.mjs. */
const P1 =
  'The speaker roasts coffee at home with beans from Huila in Colombia and saves roughly two thirds of the money.';
const P2 =
  'He concludes that home roasting is worth it if you drink at least two cups a day; otherwise you should buy from a small roaster.';
const TEXT = P1 + '\n\n' + P2;
const K = [/roasts coffee at home/, /at least two cups a day/];
const PTS = [
  [
    8,
    'He started in 2008 with a popcorn machine from aunt Carol.',
    'started in two thousand and eight with a popcorn machine',
  ],
  [
    96,
    'A PID controller for forty quid is the best upgrade.',
    "controller costs forty quid and it's the best upgrade",
  ],
  [136, 'A lid puts out a fire better than water.', 'a lid puts out a fire better than water'],
];
const KP = [
  [/popcorn machine/, 8],
  [/PID controller/, 96],
  [/lid puts out/, 144],
];
const SECS = [
  [0, 'Why roast', 'Beans, savings and the first machine.'],
  [80, 'How to roast', 'Temperatures, cracks and safety.'],
];
const KS = [/Why roast/, /How to roast/];
const pl = (f) => PTS.map(([t, c, q], i) => f(t, c, q, i)).join('\n');
const sl = (f) => SECS.map(([t, c, q], i) => f(t, c, q, i)).join('\n');
const std = (t = TEXT) =>
  `${t}\n\nKEY POINTS\n${pl((t, c, q) => `- [${t}] ${c} "${q}"`)}\n\nSECTIONS\n${sl((t, a, b) => `- [${t}] ${a} | ${b}`)}`;
const whole = { text: K, points: KP, sections: KS };
const cases = [];
const add = (name, reply, exp = whole, request = {}, talk = COFFEE) =>
  cases.push({
    group: name.startsWith('refusal') ? 'refusals, second set' : 'form, second set',
    name,
    talk,
    reply,
    request,
    ...exp,
  });
const mk = (a, b, c, d, ph = 'KEY POINTS', sh = 'SECTIONS') =>
  `${TEXT}\n\n${ph}\n${pl(a)}\n\n${sh}\n${sl(b)}`;
const P = (t, c, q) => `- [${t}] ${c} "${q}"`,
  S = (t, a, b) => `- [${t}] ${a} | ${b}`;
const mmss = (t) => `${Math.floor(t / 60)}:${String(t % 60).padStart(2, '0')}`;
add(
  'h:mm:ss no brackets',
  mk(
    (t, c, q) => `- 00:0${mmss(t)} ${c} "${q}"`,
    (t, a, b) => `- 00:0${mmss(t)} ${a} | ${b}`,
  ),
);
add(
  'time bold at the end in parens',
  mk(
    (t, c, q) => `- ${c} "${q}" (**${mmss(t)}**)`,
    (t, a, b) => `- **${a}** (${mmss(t)}): ${b}`,
  ),
);
add(
  'At 0:08,',
  mk(
    (t, c, q) => `- At ${mmss(t)}, ${c} "${q}"`,
    (t, a, b) => `- From ${mmss(t)}: ${a} | ${b}`,
  ),
);
add(
  't=',
  mk(
    (t, c, q) => `- [t=${t}] ${c} — "${q}"`,
    (t, a, b) => `- [t=${t}] ${a} | ${b}`,
  ),
);
add(
  'arrow ranges',
  mk(
    (t, c, q) => `- [${mmss(t)} → ${mmss(t + 30)}] ${c} "${q}"`,
    (t, a, b) => `- [${mmss(t)}→${mmss(t + 70)}] ${a}: ${b}`,
  ),
);
add(
  'numbered with bold titles',
  mk(
    (t, c, q, i) => `${i + 1}. **Point ${i + 1}** [${t}]: ${c} "${q}"`,
    (t, a, b, i) => `${i + 1}. **${a}** [${t}] – ${b}`,
  ),
);
add(
  'emoji bullets',
  mk(
    (t, c, q) => `☕ [${t}] ${c} "${q}"`,
    (t, a, b) => `📌 [${t}] ${a} | ${b}`,
    0,
    0,
    '🔑 KEY POINTS',
    '📚 SECTIONS',
  ),
);
add(
  'emoji bullets no space heading',
  mk(
    (t, c, q) => `✅ [${t}] ${c} "${q}"`,
    (t, a, b) => `➡️ [${t}] ${a} | ${b}`,
    0,
    0,
    '🔑 **Key Points**',
    '🗂️ **Sections**',
  ),
);
add(
  'key: value lists',
  mk(
    (t, c, q) => `- time: ${t}\n  point: ${c}\n  quote: "${q}"`,
    (t, a, b) => `- start: ${t}\n  title: ${a}\n  summary: ${b}`,
  ),
);
add(
  'yaml',
  `summary: |\n  ${P1}\n  ${P2}\nkey_points:\n${pl((t, c, q) => `  - t: ${t}\n    point: ${c}\n    quote: ${q}`)}\nsections:\n${sl((t, a, b) => `  - t: ${t}\n    title: ${a}\n    summary: ${b}`)}`,
  { ...whole, junk: [/summary: \|/] },
);
add(
  'xml items',
  `<answer><summary>${TEXT}</summary>\n<key_points>\n${pl((t, c, q) => `<point time="${t}">${c} "${q}"</point>`)}\n</key_points>\n<sections>\n${sl((t, a, b) => `<section start="${t}"><title>${a}</title> ${b}</section>`)}\n</sections></answer>`,
  { ...whole, junk: [/<|>|answer/] },
);
add(
  'json double encoded',
  JSON.stringify(
    JSON.stringify({
      summary: TEXT,
      key_points: PTS.map(([t, c, q]) => ({ t, text: c, quote: q })),
      sections: SECS.map(([t, a, b]) => ({ t, title: a, summary: b })),
    }),
  ),
  { ...whole, junk: [/\\n|\{/] },
);
add(
  'json nested data',
  JSON.stringify({
    video: {
      title: 'x y',
      data: {
        summary: { overview: TEXT },
        keyPoints: PTS.map(([t, c, q]) => ({ seconds: t, description: c, quote: q })),
        chapters: SECS.map(([t, a, b]) => ({ start_time: mmss(t), heading: a, details: b })),
      },
    },
  }),
  { ...whole, junk: [/\{/] },
);
add(
  'json paragraphs array',
  JSON.stringify({ summary: [P1, P2], key_points: PTS.map(([t, c, q]) => `[${t}] ${c} "${q}"`) }),
  { text: K, points: KP, junk: [/\{/] },
);
add(
  'prose after JSON',
  'Here you go.\n\n' +
    JSON.stringify({ summary: TEXT, key_points: PTS.map(([t, c, q]) => `[${t}] ${c} "${q}"`) }, null, 1) +
    '\n\nHope that is what you wanted!',
  { text: K, points: KP, junk: [/Hope|Here you/] },
);
add('summary heading and preamble with name', `**Video Summary: How I roast coffee at home**\n\n${std()}`, {
  ...whole,
  junk: [/Video Summary/],
});
add(
  'based on transcript preamble',
  `Based on the transcript provided, here is a summary of the video:\n\n${std()}`,
  { ...whole, junk: [/Based on/] },
);
add(
  'preamble as sentence, no colon',
  `Below is a summary of the video based on the material you gave me.\n\n${std()}`,
  { ...whole, junk: [/Below is/] },
);
add('Okay preamble', `Okay, I've read the transcript. Let me summarize it for you.\n\n${std()}`, {
  ...whole,
  junk: [/Okay|Let me/],
});
add(
  'de preamble',
  `Gerne! Hier ist eine Zusammenfassung des Videos:\n\nIm Gemeinderat geht es um den neuen Kindergarten in der Bahnhofstraße, dessen Kosten auf 4,5 Millionen Euro steigen. Die Umgehungsstraße wird vertagt.\n\n**Wichtigste Punkte:**\n- [16] Die Kosten sind auf 4,5 Millionen Euro gestiegen. "auf viereinhalb millionen euro gestiegen"\n\nIch hoffe, das hilft dir weiter!`,
  { text: [/4,5 Millionen/, /vertagt/], points: [[/gestiegen/, 24]], junk: [/Gerne|hoffe|Wichtigste/] },
  { outputLanguage: 'de' },
  SITZUNG,
);
add(
  'fr preamble',
  `Bien sûr ! Voici le résumé de la conférence :\n\nLa conférence parle du sommeil : un adulte dort 6 h 42 par nuit. En conclusion, il faut éteindre les écrans une heure avant.\n\n### Points clés\n- [0] Un jeune sur quatre regarde son téléphone après minuit. « un jeune sur quatre regarde son téléphone »\n\nN'hésitez pas à me demander plus de détails.`,
  {
    text: [/parle du sommeil/, /éteindre les écrans/],
    points: [[/téléphone/, 56]],
    junk: [/Voici|N'hésitez|Points/],
  },
  { outputLanguage: 'fr' },
  CONF,
);
add(
  'es preamble',
  `¡Claro! Aquí tienes el resumen:\n\nLa ciudad consume 185 litros de agua por persona al día y pierde una cuarta parte. Sale más barato reparar que traer agua de lejos.\n\nPUNTOS CLAVE\n- [24] Se pierde una cuarta parte en las tuberías. "se pierde una cuarta parte en las tuberías viejas"\n\n¿Te gustaría que lo amplíe?`,
  {
    text: [/185 litros/, /más barato reparar/],
    points: [[/cuarta parte/, 24]],
    junk: [/Claro|Aquí|gustaría/],
  },
  { outputLanguage: 'es' },
  CHARLA,
);
add(
  'it preamble',
  `Certo! Ecco il riassunto:\n\nUn italiano mangia 23 chili di pasta all'anno. La pasta va cotta al dente.\n\nPUNTI CHIAVE\n- [0] La prima fabbrica nasce nel 1827 a Imperia. "la prima fabbrica nasce nel milleottocentoventisette"\n\nFammi sapere se vuoi altro.`,
  { text: [/23 chili/, /al dente/], points: [[/1827/, 24]], junk: [/Certo|Ecco|Fammi/] },
  { outputLanguage: 'it' },
  LEZIONE,
);
add(
  'pt preamble',
  `Claro! Aqui está o resumo:\n\nA cidade tem hoje 147 quilómetros de ciclovia. A segurança vem primeiro.\n\nPONTOS-CHAVE\n- [0] Um em cada cinco alunos vai de bicicleta. "um em cada cinco alunos vai de bicicleta"\n\nEspero ter ajudado!`,
  { text: [/147/, /segurança/], points: [[/cinco alunos/, 24]], junk: [/Claro|Aqui está|Espero/] },
  { outputLanguage: 'pt' },
  AULA,
);
add('note at the end', std() + '\n\nNote: I left out the greeting as requested.', {
  ...whole,
  junk: [/Note:|left out/],
});
add(
  'disclaimer in the prose',
  `${TEXT}\n\nNote: This summary was generated from automatic captions and may contain errors.`,
  { text: K, junk: [/generated|captions/] },
);
add(
  'as an AI disclaimer then good',
  `As an AI language model, I cannot watch videos, but here is a summary based on the transcript.\n\n${std()}`,
  { ...whole, junk: [/As an AI/] },
);
add(
  'self-critique',
  `${TEXT}\n\nLet me check the word count: about 60 words, which is below the limit of 85.`,
  { text: K, junk: [/word count|Let me/] },
);
add('speaker tags', `Speaker: ${TEXT}`, { text: [/at least two cups/], junk: [] });
add('greeting copied', `Hey everyone, today I want to show you how I roast coffee at home. ${P1} ${P2}`, {
  text: K,
});
add(
  'headings inside prose (subtitles)',
  `### Beginnings\n${P1}\n\n### Verdict\n${P2}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}`,
  { ...whole, junk: [/###|Beginnings|Verdict/] },
);
add(
  'bold lead-ins',
  `**Introduction:** ${P1}\n\n**Conclusion:** ${P2}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl(S)}`,
  { ...whole, junk: [/\*\*/] },
);
add('footnote refs', std(P1.replace('.', ' [1].') + '\n\n' + P2.replace(';', ' [96];')), {
  ...whole,
  junk: [/\[1\]|\[96\]/],
});
add(
  'quotes with ellipsis',
  mk((t, c, q) => `- [${t}] ${c} "${q.split(' ').slice(0, 5).join(' ')}…"`, S),
);
add(
  'quote first',
  mk((t, c, q) => `- [${t}] "${q}" – ${c}`, S),
);
add(
  'quote in parens (quote: …)',
  mk((t, c, q) => `- [${t}] ${c} (quote: "${q}")`, S),
);
add(
  'quote single marks',
  mk((t, c, q) => `- [${t}] ${c} '${q.replace("'", '')}'`, S),
);
add(
  'backtick quotes',
  mk((t, c, q) => `- [${t}] ${c} \`${q}\``, S),
);
add(
  'seconds at the end of bullets',
  mk(
    (t, c, q) => `- ${c} "${q}" — ${t}s`,
    (t, a, b) => `- ${a} | ${b} — ${t}s`,
  ),
);
add(
  'wrong times, right quotes',
  mk((t, c, q) => `- [${t + 500}] ${c} "${q}"`, S),
);
add(
  'all times 754',
  mk((t, c, q) => `- [754] ${c} "${q}"`, S),
);
add('prompt repeated', `Write in English. First the summary: about 85 words of plain prose.\n\n${std()}`, {
  ...whole,
  junk: [/Write in English|plain prose/],
});
add('delimiter echo', `<material-123>\n</material-123>\n${std()}`, { ...whole, junk: [/material/] });
add('crlf', std().replace(/\n/g, '\r\n'));
add('trailing spaces / hard breaks', std().replace(/\n/g, '  \n'));
add('nbsp bullets', std().replace(/- \[/g, '•\u00a0['));
add('dash heading underline', `${TEXT}\n\nKey Points\n----------\n${pl(P)}\n\nSections\n========\n${sl(S)}`);
add('heading with count', `${TEXT}\n\nKEY POINTS (3)\n${pl(P)}\n\nSECTIONS (2)\n${sl(S)}`);
add(
  'heading with colon and talk',
  `${TEXT}\n\nHere are the key points:\n${pl(P)}\n\nAnd here are the sections:\n${sl(S)}`,
  { ...whole, junk: [/Here are/] },
);
add(
  'sections on two lines',
  `${TEXT}\n\nKEY POINTS\n${pl(P)}\n\nSECTIONS\n${sl((t, a, b) => `[${t}] ${a}\n${b}`)}`,
);
add(
  'sections as sub headings',
  `${TEXT}\n\nKEY POINTS\n${pl(P)}\n\n## SECTIONS\n${sl((t, a, b) => `### [${t}] ${a}\n${b}\n`)}`,
);
add('word run-on repeated paragraphs', `${TEXT}\n\n${TEXT}\n\nKEY POINTS\n${pl(P)}`, {
  text: K,
  points: KP,
  once: /at least two cups/g,
});
add('answers in wrong order twice', `${std()}\n\n${std()}`, { ...whole, once: /at least two cups/g });
for (const [l, r] of [
  ['en', 'I can’t assist with that.'],
  [
    'en',
    'I am unable to access or view video content directly. If you share the transcript I would be happy to help!',
  ],
  ['en', 'The provided content appears to be empty or inaccessible, so there is nothing to summarize.'],
  ['en', 'N/A'],
  ['en', 'This content may violate our usage policies.'],
  ['en', '{"error":"content_policy_violation"}'],
  ['de', 'Ich bin ein Sprachmodell und kann auf keine Videos zugreifen.'],
  [
    'de',
    'Das Video enthält interessante Informationen zu verschiedenen Themen und ist sehr empfehlenswert für alle Zuschauer.',
  ],
  ['fr', 'Je n’ai pas accès à la vidéo. Pourriez-vous me fournir la transcription ?'],
  ['es', 'No tengo acceso al contenido del video, por lo que no puedo resumirlo.'],
  ['it', 'Non ho accesso al video. Puoi incollare qui la trascrizione?'],
  ['pt', 'Não tenho acesso ao vídeo, mas posso ajudar se você colar a transcrição.'],
  ['en', 'Sure! What would you like me to summarize?'],
  [
    'en',
    'In this insightful video, the speaker delves into a topic with passion, sharing tips, tricks and experience. Viewers will come away inspired and better informed than before.',
  ],
  ['en', 'ok'],
  ['en', '...'],
])
  add(
    'refusal ' + l + ' ' + r.slice(0, 40),
    r,
    { error: 'upstream_invalid', calls: 2, junk: [/\p{L}/u] },
    { outputLanguage: l },
  );
const PARA = 'The speaker shows how to roast coffee at home.';
// In pieces, because a summary of a short talk is short.
const each = (name, talk, list) => {
  for (let i = 0; i < list.length; i += 4) {
    const piece = list.slice(i, i + 4);
    const reply = piece.map(([sentence]) => sentence).join(' ');
    const text = piece.map(([, kept]) => kept);
    cases.push({
      group: 'numbers, second set',
      name: `${name} ${i / 4 + 1}`,
      talk,
      reply,
      text,
      request: { outputLanguage: talk.language },
    });
  }
};
each('en numbers', COFFEE, [
  ['He began to roast coffee in 2008 with a popcorn machine from his aunt Carol.', /2008/],
  ['The beans grow at 1,700 m in Huila, Colombia.', /1,700 m/],
  ['A kilo of green beans costs $9.99, roasted coffee $35.', /\$9\.99, roasted coffee \$35/],
  ['Roasting saves about 67% of the money.', /67%/],
  ['The drum must reach 205 °C before the beans go in.', /205 °C/],
  ['First crack comes after about 9.5 minutes.', /9\.5 min/],
  ['Second crack follows 90–120 seconds later.', /90–120/],
  ['The beans lose 15.5% of their weight, mostly water.', /15\.5%/],
  ['Dr. Okonkwo measured the CO2 that comes out.', /CO2/],
  ['The ISO standard asks for a 24-hour rest before tasting.', /24-hour/],
  ['Espresso needs 5–7 days in his experience.', /5–7 days/],
  ['A PID controller for £40 is the best upgrade.', /£40/],
  ['The BBC made a programme about it in the 1980s.', /BBC.*1980s/],
  ['About 20% of the beans in a cheap bag are defective.', /20% of the beans/],
  ['At 6:45 in the morning a burned batch brought the fire brigade.', /6:45/],
  ['Eighteen people, or 18, stood on the lawn with three fire engines.', /18, stood/],
  ['Production is around 170 million bags of 60 kg a year.', /170 million bags of 60 kg/],
  ['Brazil makes more than 33% of it.', /33% of it/],
  ['The price hit a 47-year high in February 2025.', /47-year high in February 2025/],
  ['Home roasting pays off from 2 cups a day.', /2 cups/],
]);
each('de numbers', SITZUNG, [
  ['Die Sitzung beginnt um 19:30 Uhr.', /19:30/],
  ['Von 21 Mitgliedern sind 18 anwesend.', /18 anwesend/],
  ['Die Kosten des Kindergartens steigen von 3,2 auf 4,5 Millionen Euro.', /3,2 auf 4,5/],
  ['Das Land zahlt 40 %, der Bund 20 %.', /40 %, der Bund 20 %/],
  ['Dr. Weigel (CDU) fragt nach den Folgekosten.', /CDU/],
  ['Sie liegen laut Herrn Yıldırım bei 180.000 Euro im Jahr.', /180\.000/],
  ['Der Bau beginnt im Frühjahr 2026 und endet im dritten Quartal 2027.', /2026.*2027/],
  ['Es gibt 1,5-mal so viele Anmeldungen wie Plätze.', /1,5-mal/],
  ['Der Antrag wird mit 12:6 Stimmen angenommen.', /12:6/],
  ['Punkt zwei ist die Umgehungsstraße B27.', /B27/],
  ['Der Verkehr hat sich seit den 1980er-Jahren verdoppelt.', /1980er-Jahren/],
  ['IHK und ADAC sind für die Straße, der BUND ist dagegen.', /IHK und ADAC.*BUND/],
  ['Das Gutachten kostet 85.000 Euro, die Entscheidung fällt am 15. Januar.', /85\.000.*15\. Januar/],
  ['Die Sitzung endet um 21:15 Uhr.', /21:15/],
]);
each('fr numbers', CONF, [
  ['En France, un adulte dort en moyenne 6 h 42 par nuit.', /6 h 42/],
  ['C’est 1 h 30 de moins qu’il y a 50 ans.', /1 h 30.*50 ans/],
  ['Une étude de l’Inserm a suivi 7 959 personnes.', /7 959/],
  ['Dormir moins de 6 heures augmente le risque de 30 %.', /30 %/],
  ['Dans les années 1970, on dînait à 19 h.', /1970.*19 h/],
  ['Aujourd’hui, c’est à 20 h 15.', /20 h 15/],
  ['Un jeune sur quatre (25 %) regarde son téléphone après minuit.', /25 %/],
  ['La sieste idéale dure 20 minutes.', /20 min/],
  ['Le docteur Lemarchand recommande 18 °C dans la chambre.', /18 °C/],
  ['L’OMS parle d’une épidémie depuis 2017.', /2017/],
]);
each('es numbers', CHARLA, [
  ['La ciudad consume 185 litros por persona al día.', /185/],
  ['En los años 90 eran 240 litros.', /90 eran 240/],
  ['El 25 % se pierde en las tuberías viejas.', /25 %/],
  ['La obra cuesta 2,5 millones de euros.', /2,5/],
  ['Empezó el 15 de marzo de 2022.', /15 de marzo de 2022/],
  ['La UE paga el 60 %.', /UE paga el 60 %/],
  ['Según el ingeniero Echeverría faltan 3 km.', /Echeverría/],
  ['El 70 % de los vecinos está de acuerdo.', /70 %/],
  ['A las 6:45 abren el grifo principal.', /6:45/],
  ['El agua tarda 30 minutos en llegar al barrio alto.', /30 minutos/],
]);
each('it numbers', LEZIONE, [
  ['Un italiano mangia 23 chili di pasta all’anno.', /23 chili/],
  ['La prima fabbrica nasce nel 1827 a Imperia.', /1827/],
  ['Serve 1 litro d’acqua per 100 grammi, con 10 g di sale.', /100 grammi, con 10 g/],
  ['Il prezzo è salito da 1,10 a 1,90 euro.', /1,10 a 1,90/],
  ['Il 65 % del grano è italiano.', /65 %/],
  ['La cottura dura 9,5 minuti.', /9,5/],
  ['Il 33 % delle porzioni finisce avanzato.', /33 %/],
  ['La dottoressa Bevilacqua dell’UNIBO studia le fibre.', /UNIBO/],
]);
each('pt numbers', AULA, [
  ['Em 2010 havia 12 quilómetros de ciclovia.', /2010/],
  ['Hoje são 147 km.', /147/],
  ['Cerca de 20 % dos alunos vão de bicicleta.', /20 %/],
  ['O plano custa 3,5 milhões de euros.', /3,5/],
  ['A UE paga 75 %.', /75 %/],
  ['Às 7:15 da manhã já há trânsito.', /7:15/],
  ['Os acidentes caíram 50 %.', /50 %/],
  ['Nos anos 80 ninguém andava de bicicleta.', /80/],
]);
cases.push({
  group: 'numbers, second set',
  request: {},
  name: 'en invented numbers go',
  talk: COFFEE,
  reply: `${PARA} He started with a popcorn machine in 2008. The drum must reach 205 degrees. He paid 4,800 dollars for the roaster. A batch takes 73 minutes. The beans lose 15.5% of their weight.`,
  text: [/205/, /2008/],
  junk: [/4,800/, /73 min/],
});

export { cases as moreCases };
