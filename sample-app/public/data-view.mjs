/** The data of an answer. A value shows its source while the pointer or the keyboard is on it. */
import { el, outside } from './dom.mjs';

let shown = 0;

/**
 * @param {any} output
 * @param {Map<string, { quote: string, link: Node }>} sources by JSON pointer into the output
 * @param {boolean} complete
 */
export function dataView(output, sources, complete) {
  return el(
    'section',
    { class: 'data' },
    el('h3', {}, 'Fields'),
    !complete && el('p', { class: 'meta' }, 'Required fields without a source are missing.'),
    nodeView(output, '', sources),
  );
}

function nodeView(value, pointer, sources) {
  if (Array.isArray(value))
    return el(
      'ol',
      {},
      ...value.map((item, index) => el('li', {}, nodeView(item, `${pointer}/${index}`, sources))),
    );
  if (typeof value === 'object' && value !== null)
    return el(
      'dl',
      {},
      ...Object.entries(value).flatMap(([name, inner]) => [
        outside('dt', name),
        el('dd', {}, nodeView(inner, `${pointer}/${name}`, sources)),
      ]),
    );
  const source = sources.get(pointer);
  return source ? sourcedView(value, source) : el('span', { class: 'meta' }, String(value));
}

/** A value whose source opens below it. The style sheet shows it; Escape hides it. */
function sourcedView(value, { quote, link }) {
  const id = `source-${++shown}`;
  const button = outside('button', String(value), { type: 'button', 'aria-describedby': id });
  const field = el(
    'span',
    { class: 'field' },
    button,
    el('span', { class: 'source', id }, outside('q', quote), ' ', link),
  );
  field.addEventListener('keydown', ({ key }) => key === 'Escape' && field.classList.add('closed'));
  for (const event of ['pointerenter', 'focusin'])
    field.addEventListener(event, () => field.classList.remove('closed'));
  return field;
}

/** What a text field holds as JSON; broken JSON as it is, so that the server says what is wrong with it. */
export function schemaIn(form) {
  const text = form.get('output_schema').trim();
  if (text === '') return {};
  try {
    return { output_schema: JSON.parse(text) };
  } catch {
    return { output_schema: text };
  }
}
