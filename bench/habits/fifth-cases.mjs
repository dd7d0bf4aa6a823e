import { HARBOUR } from './talks.mjs';
import { P1, P2, POINTS, SECTIONS, TEXT, pointLines, sectionLines, whole, written } from './fourth-cases.mjs';

/** A fifth set of replies: shapes that were lost or let through until the reader was widened for them. */
const cases = [];
const form = (name, reply, junk = []) =>
  cases.push({ group: 'form, fifth set', name, talk: HARBOUR, reply, request: {}, ...whole, junk });
const lists = (points, sections = sectionLines()) =>
  `${TEXT}\n\n## Key points\n${points}\n\n## Sections\n${sections}`;
const clock = (t) => `${Math.floor(t / 60)}:${String(t % 60).padStart(2, '0')}`;
const fullWidth = (t) => `［${clock(t).replace(':', '：')}］`;

form(
  'points below sub-headings',
  lists(
    POINTS.map(([t, claim, quote]) => `### About ${t}\n- [${t}] ${claim} "${quote}"`).join('\n\n'),
    `**The beginning**\n${sectionLines()}`,
  ),
  [/About/],
);
form(
  'headings of other names in bold',
  `${TEXT}\n\n**Was bleibt**\n${pointLines()}\n\n**Wie es verläuft**\n${sectionLines()}`,
  [/bleibt|verläuft/],
);
form(
  'tables with numbers of rows',
  lists(
    `| # | Time | Key point | Quote |\n|--:|---|---|---|\n${pointLines((t, claim, quote, n) => `| ${n} | ${clock(t)} | ${claim} | "${quote}" |`)}`,
    `| # | Start | Title | Summary |\n|---|---|---|---|\n${sectionLines((t, title, told) => `| ${t / 60 + 1} | ${clock(t)} | ${title} | ${told} |`)}`,
  ),
  [/\|/, /Quote/],
);
form(
  'tables with the time in the last column',
  lists(
    `| Key point | Quote | Time |\n|---|---|---|\n${pointLines((t, claim, quote) => `| ${claim} | "${quote}" | 0:0${clock(t)} |`)}`,
    `| Title | Summary | Time |\n|---|---|---|\n${sectionLines((t, title, told) => `| ${title} | ${told} | 0:0${clock(t)} |`)}`,
  ),
  [/\|/, /\d:\d\d/],
);
form(
  'times with words before them in the prose',
  written({
    text: `${P1.replace('25 million', '25 million (see 0:42)')} (timestamp 1:50)\n\n${P2.replace('.', ' [Time: 130].[^1]')}`,
  }),
  [/see|timestamp|Time|\^/],
);
form(
  'fields as bold bullets',
  lists(
    pointLines(
      (t, claim, quote, n) =>
        `${n}. **Point ${n}**\n   - **Timestamp:** ${clock(t)}\n   - **Claim:** ${claim}\n   - **Quote:** *"${quote}"*`,
    ),
    sectionLines(
      (t, title, told) => `1. **${title}**\n   - **Timestamp:** ${clock(t)}\n   - **Summary:** ${told}`,
    ),
  ),
  [/Timestamp|Claim|Quote|\*/, /Point \d/],
);
form(
  'fields as elements',
  `<response>\n<summary>\n${TEXT}\n</summary>\n<keypoints>\n${pointLines((t, claim, quote) => `<keypoint>\n  <timestamp>${t}</timestamp>\n  <statement>${claim}</statement>\n  <quote>${quote}</quote>\n</keypoint>`)}\n</keypoints>\n<sections>\n${sectionLines((t, title, told) => `<section>\n  <timestamp>${t}</timestamp>\n  <title>${title}</title>\n  <description>${told}</description>\n</section>`)}\n</sections>\n</response>`,
  [/<|>|timestamp/],
);
form(
  'escaped marks',
  `${TEXT}\n\n\\*\\*KEY POINTS\\*\\*\n${pointLines((t, claim, quote) => `\\- \\[${t}\\] ${claim} \\"${quote}\\"`)}\n\n\\#\\# SECTIONS\n${sectionLines((t, title, told) => `\\- \\[${t}\\] \\*\\*${title}\\*\\* \\| ${told}`)}`,
  [/\\/],
);
form(
  'marks in full width',
  written({
    points: pointLines((t, claim, quote) => `- ${fullWidth(t)}${claim} “${quote}”`),
    sections: sectionLines((t, title, told) => `- ${fullWidth(t)}${title}｜${told}`),
  }),
  [/[［］｜：]/],
);
form(
  'JSON with other names',
  JSON.stringify({
    gist: TEXT,
    main_takeaways: POINTS.map(([t, claim, quote]) => ({
      moment: clock(t),
      insight: claim,
      supporting_text: quote,
    })),
    timeline: SECTIONS.map(([t, title, told]) => ({ from: clock(t), topic: title, gist: told })),
  }),
);
form(
  'JSON with comments behind strings',
  `\`\`\`json5\n{\n  summary: ${JSON.stringify(TEXT)}, // the prose\n  key_points: [\n${pointLines((t, claim, quote) => `    { t: ${t}, point: "${claim}", /* copied */ quote: "${quote}" }, // at ${clock(t)}`)}\n  ],\n  sections: [\n${sectionLines((t, title, told) => `    { t: ${t}, title: "${title}", // a title\n sentence: "${told}" },`)}\n  ],\n}\n\`\`\``,
  [/\/[/*]/],
);
form(
  'JSON with objects by their times',
  JSON.stringify({
    summary: TEXT,
    key_points: POINTS.map(([t, point, quote]) => ({ t, point, quote })),
    sections: Object.fromEntries(SECTIONS.map(([t, title, summary]) => [clock(t), { title, summary }])),
  }),
);
form(
  'sections as headings with a range',
  lists(
    pointLines((t, claim, quote) => `* ${claim}\n    * Timestamp: ${clock(t)}\n    * Quote: *"${quote}"*`),
    sectionLines((t, title, told) => `\n### ${title} (${clock(t)} – ${clock(t + 60)})\n\n${told}`),
  ),
  [/Timestamp|Quote|#/],
);
form(
  'times with spelled units',
  written({
    points: pointLines(
      (t, claim, quote) => `- ${claim} "${quote}" (at ${Math.floor(t / 60)} min ${t % 60} s)`,
    ),
    sections: sectionLines((t, title, told) => `- ${title} (from ${t / 60} min 0 s): ${told}`),
  }),
  [/\d min/],
);
form(
  'emoji before quotations in other marks',
  lists(
    pointLines((t, claim, quote) => `⏱️ ${clock(t)} | ${claim} | 💬 ‹${quote}›`),
    sectionLines((t, title, told) => `⏱️ ${clock(t)} | ${title} | ${told}`),
  ),
  [/[⏱💬|‹]/u],
);
const DRAFT =
  'The user wants a summary, maybe of 99 metres.\n\nKEY POINTS\n- [60] A drafted claim. "every hour a ferry crosses"';
for (const [name, reasoning] of [
  [
    'details',
    `<details type="reasoning" done="true">\n<summary>Thought for 12 seconds</summary>\n${DRAFT}\n</details>`,
  ],
  ['a fence', `\`\`\`thinking\n${DRAFT}\n\`\`\``],
  ['a monologue', `<internal_monologue>\n${DRAFT}\n</internal_monologue>`],
])
  form(`reasoning in ${name}`, `${reasoning}\n\n${written()}`, [/99|drafted|user wants|Thought/]);

export { cases as fifthCases };
