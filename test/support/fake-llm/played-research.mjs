const STAGES = [
  ['plan', /^You plan the research/],
  ['read', /^You look up in numbered passages/],
  ['report', /^You write a report/],
  ['repair', /^You repair sentences/],
];

export function stageOf(system) {
  return STAGES.find(([, begin]) => begin.test(system))?.[0] ?? 'answer';
}

export function passagesIn(prompt) {
  const found = prompt.matchAll(/^\[(\d+)\] [^\n]*\n<(material-[0-9a-f]{10})>\n([\s\S]*?)\n<\/\2>/gm);
  return [...found].map(([, n, , text]) => ({ n: Number(n), text }));
}

export function findingsIn(prompt) {
  const [, , block = ''] = /Findings:\n<(material-[0-9a-f]{10})>\n([\s\S]*?)\n<\/\1>/.exec(prompt) ?? [];
  return block
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2));
}

function reading(needs, prompt) {
  const passages = passagesIn(prompt);
  const entries = needs.map((need, i) => {
    const met = need.facts.flatMap((fact) => {
      const passage = passages.find(({ text }) => text.includes(fact.quote));
      return passage ? [{ ...fact, n: passage.n }] : [];
    });
    if (met.length === 0)
      return { n: i + 1, state: 'missing', text: '', quotes: [], value: '', query: need.again ?? '' };
    return {
      n: i + 1,
      state: need.isDisputed && met.length > 1 ? 'disputed' : 'found',
      text: met.map(({ text, n }) => `${text} [${n}]`).join(' '),
      quotes: met.map(({ quote, n }) => ({ n, quote })),
      value: met[0].value ?? '',
      query: '',
    };
  });
  return { needs: entries };
}

export function playedResearch(needs, overrides = {}) {
  const stages = {
    plan: () => ({ question: '', needs: needs.map(({ need, query }) => ({ need, query })) }),
    read: (prompt) => reading(needs, prompt),
    report: (prompt) => ({ answer: findingsIn(prompt).join(' '), calculations: [] }),
    repair: () => ({ sentences: [] }),
    answer: (prompt) => {
      const { needs: found } = reading(needs, prompt);
      const [{ text, quotes }] = found;
      return {
        answerable: text !== '',
        answer: text || 'The sources do not say it.',
        quotes,
        calculations: [],
      };
    },
    ...overrides,
  };
  return (prompt, _settings, { system }) => {
    const reply = stages[stageOf(system)](prompt);
    return typeof reply === 'string' ? reply : JSON.stringify(reply);
  };
}
