/** A box for questions to a video, below its summary. */
import { CallError } from './client.mjs';
import { el, outside } from './dom.mjs';
import { errorView, messagesOf, warningsView } from './panel.mjs';
import { answerView } from './search-view.mjs';

/** Earlier questions that a model may refer to, and the characters that they may have together. */
const MAX_PAIRS = 5;
const MAX_CONTEXT = 4000;

/**
 * @param {{
 *   content: any, call: (tool: string, request: object) => Promise<any>, say: (text: string) => void,
 *   timeOf: (seconds: number, url: string) => HTMLElement
 * }} options `timeOf` shows a second, and opens the video there
 */
export function askView({ content, call, say, timeOf }) {
  const field = el('input', {
    id: 'question',
    name: 'question',
    maxlength: 400,
    autocomplete: 'off',
    dir: 'auto',
  });
  const answers = el('div', { class: 'asked' });
  const form = el(
    'form',
    { novalidate: true },
    el('label', { for: 'question' }, 'Ask about this video'),
    el('div', { class: 'ask' }, field, el('button', { type: 'submit', class: 'primary' }, 'Ask')),
  );
  /** Only a model can tell what "he" or "and in winter?" refers to. */
  let earlier = [];

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim() !== '') void ask(field.value.trim());
  });

  async function ask(question) {
    const shown = el('section', { class: 'answered', tabindex: -1 }, outside('h4', question));
    const waiting = el('ol', { class: 'steps' }, el('li', {}, 'Looking for it in the video'));
    shown.append(waiting);
    answers.prepend(shown);
    say('Looking for it in the video');
    try {
      const context = earlier.length > 0 ? { context: earlier } : {};
      const { data } = await call('ask_video', { content_id: content.id, question, ...context });
      waiting.replaceWith(...warningsView(data.warnings), answerView(data.llm, sourceItem));
      if (data.llm.engine !== 'extractive') remember(question, data.llm.answer);
      field.value = '';
      shown.focus();
      say(`Answer: ${data.llm.answer}`);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const failure = errorView(error, () => {
        shown.remove();
        void ask(question);
      });
      failure.removeAttribute('id');
      waiting.replaceWith(failure);
      say(messagesOf(error).join(' '));
    }
  }

  function remember(question, answer) {
    earlier = [...earlier, { question, answer }].slice(-MAX_PAIRS);
    while (earlier.reduce((sum, pair) => sum + pair.question.length + pair.answer.length, 0) > MAX_CONTEXT)
      earlier = earlier.slice(1);
  }

  const sourceItem = ({ index, start_seconds: start, url, quote }) =>
    el(
      'li',
      { tabindex: -1 },
      el('span', { class: 'number', 'aria-hidden': 'true' }, String(index)),
      el(
        'div',
        {},
        el('p', { class: 'meta' }, start !== undefined && timeOf(start, url)),
        outside('blockquote', quote),
      ),
    );

  return el('div', { class: 'questions' }, form, answers);
}
