/**
 * What the fake model says: deterministic, made only of the words of the prompt, so that a test can tell what an answer rests
 * on. It reads a prompt as a model would: material between random tags, lines that begin with `[second]`, a form asked for.
 */

/** Splits the material into timed units: sentences, or runs of fourteen words where nothing is punctuated. */
export function unitsOf(material) {
  const units = [];
  let second = 0;
  for (const piece of material.split(/(?=\[\d+\])/)) {
    const time = /^\[(\d+)\]\s*/.exec(piece);
    if (time) second = Number(time[1]);
    const body = piece
      .slice(time?.[0].length ?? 0)
      .replace(/"[^"]*"$/gm, '')
      .replace(/"/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    for (const sentence of body.split(/(?<=[.!?…])\s+/)) {
      const words = sentence.split(' ').filter(Boolean);
      for (let i = 0; i < words.length; i += 30) {
        const run = words.slice(i, i + 30);
        if (run.length >= 4) units.push({ second, text: run.slice(0, 14).join(' ') });
      }
    }
  }
  return units;
}

/** Takes units evenly from the beginning to the end until the words are used up. */
export function spread(units, words) {
  if (units.length === 0) return [{ second: 0, text: 'There is nothing to say about this' }];
  const mean = units.reduce((sum, unit) => sum + unit.text.split(' ').length, 0) / (units.length || 1);
  const count = Math.max(1, Math.min(units.length, Math.floor(words / (mean || 1))));
  return Array.from({ length: count }, (_, i) => units[Math.floor(((i + 0.5) * units.length) / count)]);
}

const sentence = (text) => text.replace(/[.!?…,;:]*$/, '') + '.';

/**
 * @param {string} prompt all user messages
 * @param {{ mode: 'right' | 'wrong' | 'invented' | 'prose' | 'constant', words: number }} how
 */
export function answerTo(prompt, { mode, words }) {
  if (mode === 'constant') return 'This is what the language model always says.';
  const fenced = [...prompt.matchAll(/<([a-z]+-[0-9a-f]{8,})>([\s\S]*?)<\/\1>/g)];
  const material = fenced.map((m) => m[2]).join('\n') || prompt;
  const asked = fenced.length ? fenced.reduce((rest, m) => rest.split(m[0]).join(''), prompt) : prompt;
  const notes = material.slice(Math.max(0, material.search(/\[\d+\]/)));
  const units = unitsOf(notes);
  if (mode === 'prose')
    return spread(units, words)
      .map((unit) => sentence(unit.text))
      .join(' ');
  if (asked.includes('"points"')) {
    const points = spread(units, words * 0.6).map((unit, i) => pointOf(unit, i, mode));
    return JSON.stringify({ points });
  }
  const structured = asked.includes('"summary"');
  const summary = spread(units, asked.includes('"key_points"') ? words * 0.7 : words)
    .map((unit) => sentence(unit.text))
    .join(' ');
  if (!structured) return summary;
  if (!asked.includes('"key_points"')) return JSON.stringify({ summary });
  const key_points = spread(units, words * 0.3).map((unit, i) => {
    const { t, text, quote } = pointOf(unit, i, mode);
    return asked.includes('"quote"') ? { t, text, quote } : { t, text };
  });
  return JSON.stringify({ summary, key_points, sections: [] });
}

function pointOf({ second, text }, index, mode) {
  const words = text.split(' ');
  const quote = words.slice(0, 8).join(' ');
  if (mode === 'wrong')
    return { t: second + 100_000, text: sentence(text), quote: [...words].reverse().join(' ') };
  if (mode === 'invented') {
    return {
      t: second,
      text: `The speaker promises ${4711 + index} golden elephants to Mister Zaphodbeeble.`,
      quote: 'golden elephants are waiting for every patient listener tonight',
    };
  }
  return { t: second, text: sentence(text), quote };
}
