/** Marks in a text: source numbers, and `[?]` where the sources do not have what is said. Each lights up the entry below that it stands for. */
import { el, outside } from './dom.mjs';

/** Why a statement is not supported, in words. Others are shown by their name. */
const REASONS = {
  value: 'No source states this number, unit or date.',
  name: 'No source has this name or code.',
  quotation: 'These words stand in no source.',
  contradicted: 'The sources say otherwise.',
  not_said: 'The sources do not say it.',
  few_words_in_common: 'Few of its words stand in the sources; it may be a paraphrase.',
};

/** Statements that the checks did not find, with the reason of each: entries for the marks, and their list; empty without any. */
export function unsupportedView(unsupported = []) {
  const items = unsupported.map(({ text, reason }) =>
    el(
      'li',
      { tabindex: -1, 'data-reason': reason },
      el('span', { class: 'number', 'aria-hidden': 'true' }, '?'),
      el('div', {}, outside('p', text), el('p', { class: 'meta' }, REASONS[reason] ?? reason)),
    ),
  );
  // Few words in common are a weak sign, for which the text has no mark.
  const marked = items.filter((item) => item.dataset.reason !== 'few_words_in_common');
  const list = [el('h3', {}, 'Not found in the sources'), el('ol', { class: 'citations' }, ...items)];
  return { marked, list: items.length > 0 ? list : [] };
}

/**
 * Replaces each `[n]` and `[?]` of the paragraphs that has an entry by a button, which leads to it.
 *
 * @param {HTMLElement[]} paragraphs
 * @param {Map<number, HTMLElement>} citations entries by number
 * @param {HTMLElement[]} unsupported entries in the order of the marks `[?]`
 */
export function withMarks(paragraphs, citations, unsupported) {
  const open = [...unsupported];
  for (const paragraph of paragraphs) {
    const parts = paragraph.textContent.split(/\[(\d+|\?)\]/);
    paragraph.replaceChildren(
      ...parts.map((part, index) => {
        if (index % 2 === 0) return document.createTextNode(part);
        const item = part === '?' ? open.shift() : citations.get(Number(part));
        return item ? mark(part, item) : document.createTextNode(`[${part}]`);
      }),
    );
  }
  return paragraphs;
}

function mark(sign, item) {
  const isOpen = sign === '?';
  const label = isOpen ? `Not found: ${item.querySelector('.meta').textContent}` : `Source ${sign}`;
  const title = isOpen ? label : undefined;
  const attributes = { type: 'button', class: isOpen ? 'mark open' : 'mark', 'aria-label': label, title };
  const button = el('button', attributes, sign);
  const light = (on) => () => {
    item.classList.toggle('lit', on);
    button.classList.toggle('lit', on);
  };
  for (const one of [button, item]) {
    one.addEventListener('pointerenter', light(true));
    one.addEventListener('pointerleave', light(false));
    one.addEventListener('focusin', light(true));
    one.addEventListener('focusout', light(false));
  }
  button.addEventListener('click', () => {
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: 'nearest' });
  });
  return button;
}
