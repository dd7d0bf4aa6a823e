/**
 * False premises by rule: of each line of `polarity.txt` the note says one of two opposite verbs, and is asked about either. A question with the
 * verb of the note is answered by it, one with the other verb takes for granted what did not happen. The verbs under `## tuned` are those that the
 * opposites of the package were tried on; those under `## measured` were drawn from WordNet 3.0's verb antonyms (both verbs tagged five times or
 * more, `random.sample` with seed 5, in its order, those of which a dated event can be told) after the opposites had been written down.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAIRS = join(import.meta.dirname, 'polarity.txt');

/** Rows as `loadQuestions` gives them, with `part`: `tuned` or `measured`. */
export function loadPolarity() {
  const rows = [];
  let part;
  for (const line of readFileSync(PAIRS, 'utf8').split('\n')) {
    if (line.startsWith('## ')) part = line.slice(3);
    else if (line) rows.push(...rowsOf(line, part, rows.length));
  }
  return rows;
}

function rowsOf(line, part, nth) {
  const [a, b, note, question] = line.split(' | ');
  const verbs = [a, b].map((verb) => verb.split(' '));
  return verbs.flatMap(([, past], said) => {
    const text = note.replace('#', past);
    const title = /(?:\p{Lu}\p{L}+ ?)+/u.exec(text.replace(/^\p{Lu}\p{Ll}+ (?=\p{Ll})/u, ''))[0].trim();
    const document = { url: `https://notes.example/polarity/${nth}/${said}`, title, text };
    return verbs.map(([base], asked) => ({
      id: `polarity-${nth}-${said}-${asked}`,
      topic: `polarity-${nth}`,
      part,
      documents: [document],
      note: document,
      question: question.replace('_', base),
      answerable: said === asked,
      hard: true,
    }));
  });
}
