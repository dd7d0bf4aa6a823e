/** Reads question sets: JSON lines in the documented layout, or this folder's own notes. See README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const OWN = join(import.meta.dirname, 'set');

/** Rows `{ id, topic, documents, question, answerable, hard, answer }` of a JSON-lines file, or of the own set. */
export function loadQuestions(file) {
  if (file) {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => ({ hard: false, ...JSON.parse(line) }));
  }
  return readdirSync(OWN)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => readTopic(basename(name, '.txt'), readFileSync(join(OWN, name), 'utf8')));
}

function readTopic(topic, source) {
  const documents = [];
  const rows = [];
  for (const line of source.split('\n')) {
    if (line.startsWith('# ')) {
      const title = line.slice(2);
      documents.push({ url: `https://notes.example/${topic}/${documents.length + 1}`, title, text: '' });
      continue;
    }
    const question = /^([+-])(!?) ([^|]*?)(?: \| (.*))?$/.exec(line);
    const note = documents.at(-1);
    if (!question) {
      if (line) note.text += (note.text && ' ') + line;
      continue;
    }
    const [, sign, hard, text, answer] = question;
    rows.push({
      id: `${topic}-${rows.length + 1}`,
      topic,
      documents,
      note,
      question: text,
      answerable: sign === '+',
      hard: hard === '!',
      ...(answer ? { answer } : {}),
    });
  }
  return rows;
}
