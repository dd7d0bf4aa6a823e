/** One tool of the page: its form, and below it one state at a time: nothing yet, working, an error, or a result. */
import { CallError, callTool, curlOf } from './client.mjs';
import { count, el, outside } from './dom.mjs';

/** Stages of the event stream in words. A stage without an entry is shown by its name. */
const STAGES = {
  sent: 'Waiting for the server',
  transcript: 'Fetching the transcript',
  download: 'Fetching the sound',
  transcribe: 'Recognising speech',
  summarize: 'Choosing how to read it',
  read: 'Reading',
  frames: 'Looking at the pictures',
  map: 'Reading part by part',
  write: 'Writing',
  data: 'Filling in the fields',
  rewrite: 'Writing it again',
  search: 'Searching',
  results: 'Choosing passages',
  plan: 'Planning',
  finding: 'Found',
  answer: 'Writing the answer',
  list: 'Listing videos',
};

/** Headings of errors by their `code`. Others are shown by the name of their status. */
const HEADINGS = {
  invalid_request: 'The request was not accepted',
  invalid_content_id: 'That is not a YouTube video',
  missing_api_key: 'An API key is needed',
  invalid_api_key: 'The API key was not accepted',
  forbidden_tool: 'This key may not use this tool',
  content_not_found: 'It is not there',
  content_unavailable: 'It cannot be read',
  transcript_unavailable: 'This video has no captions',
  content_too_long: 'Too long for this method',
  rate_limited: 'Too many requests',
  not_configured: 'This server is not set up for that',
  method_unavailable: 'This server is not set up for that',
  upstream_unavailable: 'A service did not answer',
  upstream_invalid: 'A service gave an unreadable answer',
  upstream_timeout: 'It took too long',
};

/** Errors in words for visitors; all others are told in the server's words, which are below the error as well. */
const WORDS = {
  invalid_content_id:
    'Paste the link of a YouTube video, e.g. https://www.youtube.com/watch?v=dQw4w9WgXcQ, or choose a demo talk.',
  missing_api_key: 'Enter a key in the field at the top of the page.',
  invalid_api_key:
    'Enter another key in the field at the top of the page. The server takes the keys in TOOLS_API_KEYS.',
  forbidden_tool: 'Enter a key that may use it in the field at the top of the page.',
};
const FIELD_WORDS = {
  content_id: WORDS.invalid_content_id,
  playlist: 'Paste the link of a YouTube playlist that everyone may see.',
  channel:
    'Paste the link or handle of a YouTube channel, e.g. @sample-talks, or the link of a podcast feed that this server lists.',
};
/** For fields of free text, whose limits differ by tool. */
const TEXT_WORDS = {
  query: 'Type a question, or some words to look for',
  question: 'Type a question',
};

/**
 * @param {{
 *   root: HTMLElement, tool: string, verb: string, key: HTMLInputElement, status: HTMLElement,
 *   request: (form: FormData) => object, result: (body: any, request: any) => Node, ready: (body: any) => string
 * }} options `request` reads the form; `result` shows the body of a result; `ready` says it in one line, for screen readers
 * @returns `run()`, which sends what the form holds
 */
export function toolPanel({ root, tool, verb, key, status, request, result, ready }) {
  const form = root.querySelector('form');
  const submit = form.querySelector('[type=submit]');
  const outcome = root.querySelector('.outcome');
  const samples = root.querySelector('.samples');
  let running;
  let sent = '';

  async function run() {
    running?.abort();
    const own = (running = new AbortController());
    const body = request(new FormData(form));
    sent = JSON.stringify(body);
    markFields([]);
    samples.open = false;
    submit.textContent = 'Stop';
    const work = progressView();
    outcome.replaceChildren(work.element);
    status.textContent = `${verb}…`;
    try {
      const answer = await callTool(tool, body, {
        key: key.value.trim(),
        signal: own.signal,
        onEvent: work.show,
      });
      outcome.replaceChildren(result(answer, body), requestView(tool, body, key.value.trim(), answer));
      status.textContent = ready(answer);
    } catch (error) {
      if (own !== running) return;
      if (own.signal.aborted) {
        outcome.replaceChildren();
        samples.open = true;
        status.textContent = 'Stopped';
      } else if (error instanceof CallError) {
        const fields = Array.isArray(error.body?.details) ? error.body.details : [];
        markFields(fields.map(({ field }) => field));
        if (error.body?.statusCode === 401) key.setAttribute('aria-invalid', 'true');
        outcome.replaceChildren(errorView(error, run), requestView(tool, body, key.value.trim(), error.body));
        status.textContent = `${headingOf(error)}. ${messagesOf(error).join(' ')}`;
      } else throw error;
    } finally {
      if (own === running) {
        running = undefined;
        submit.textContent = verb;
      }
    }
  }

  function markFields(names) {
    key.removeAttribute('aria-invalid');
    for (const field of form.elements) {
      const isWrong = names.includes(field.name);
      if (isWrong) field.setAttribute('aria-invalid', 'true');
      else field.removeAttribute('aria-invalid');
      if (isWrong) field.setAttribute('aria-describedby', ERROR_ID);
      else field.removeAttribute('aria-describedby');
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running) running.abort();
    else void run();
  });
  // Enter starts what is in the form; only the button stops it.
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !running || event.target === submit) return;
    event.preventDefault();
    if (JSON.stringify(request(new FormData(form))) !== sent) void run();
  });
  return { run };
}

/** What is being done, step by step, and the text as it is written. */
function progressView() {
  const steps = el('ol', { class: 'steps' });
  const text = el('div', { class: 'prose writing', hidden: true });
  let stage;
  let step;
  let written = '';

  function show({ name, data }) {
    if (name === 'delta') written += data.text;
    else if (name === 'progress') {
      // The text so far is thrown away when it is written again.
      if (data.stage === 'rewrite') written = '';
      advance(data);
    }
    text.hidden = written === '';
    text.replaceChildren(...paragraphs(written));
  }

  function advance({ stage: next, done, total, needs = [], finding }) {
    if (next !== stage) {
      stage = next;
      step = el('li', {}, el('span', {}, STAGES[next] ?? next));
      steps.lastElementChild?.classList.add('done');
      steps.append(step);
    }
    const said = finding === undefined ? needs : [finding];
    step.append(...said.map((line) => outside('p', line, { class: 'meta' })));
    if (!(total > 1)) return;
    let bar = step.querySelector('progress');
    if (!bar) step.append((bar = el('progress', { 'aria-label': STAGES[next] ?? next })));
    bar.max = total;
    bar.value = done ?? 0;
  }

  // Until the first event.
  advance({ stage: 'sent' });
  return { element: el('div', { class: 'working', 'aria-busy': 'true' }, steps, text), show };
}

/** Paragraphs of a plain text, which are separated by empty lines. */
export function paragraphs(text) {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => outside('p', paragraph));
}

/** Warnings of a result, in the server's words. */
export function warningsView(warnings = []) {
  return warnings.map(({ code, message }) =>
    el(
      'p',
      { class: 'notice', 'data-code': code },
      el('strong', {}, 'Please note. '),
      outside('span', message),
    ),
  );
}

/** Facts in two columns; those without a value are left out. */
export function factsView(facts) {
  const rows = facts.filter(([, value]) => value !== undefined && value !== '');
  return el(
    'dl',
    { class: 'facts' },
    ...rows.flatMap(([name, value]) => [el('dt', {}, name), outside('dd', value)]),
  );
}

/** Model calls and tokens in words; undefined without a model. */
export const usageText = (usage) =>
  usage &&
  `${count(usage.model_calls, 'call')}, ${count(usage.input_tokens, 'token')} in, ${count(usage.output_tokens, 'token')} out`;

const headingOf = ({ body }) =>
  body ? (HEADINGS[body.code] ?? body.error ?? 'It did not work') : 'No answer from the server';

/** What a field takes, in words for visitors. */
function wordsOf({ field, message }) {
  const [, most] = / 1 to (\d+) characters/.exec(message) ?? [];
  return (
    FIELD_WORDS[field] ?? (most && TEXT_WORDS[field] && `${TEXT_WORDS[field]}: at most ${most} characters.`)
  );
}

/** What an error says, one line each. */
export function messagesOf({ body, message }) {
  const words = Array.isArray(body?.details) ? body.details.map(wordsOf) : [];
  if (words.length > 0 && words.every(Boolean)) return words;
  if (WORDS[body?.code]) return [WORDS[body.code]];
  return (Array.isArray(body?.message) ? body.message : [message]).map(String);
}

const ERROR_ID = 'error';

/** An error, with a button to try again where that may help. */
export function errorView(error, again) {
  const { retryAfterSeconds, mayRetry, body } = error;
  const wait =
    retryAfterSeconds !== undefined
      ? `The server asks to wait ${count(retryAfterSeconds, 'second')}.`
      : undefined;
  return el(
    'div',
    { class: 'notice error', id: ERROR_ID },
    el('h2', {}, headingOf(error)),
    ...messagesOf(error).map((message) => outside('p', message)),
    !body && el('p', {}, 'Is it still running? Start it with npm start.'),
    wait && el('p', {}, wait),
    mayRetry && el('p', {}, el('button', { type: 'button', onclick: () => void again() }, 'Try again')),
  );
}

/** The request as a command and the body of the answer, both to copy. */
function requestView(tool, request, key, answer) {
  return el(
    'div',
    { class: 'raw' },
    foldedText('This request as curl', curlOf(tool, request, key)),
    answer && foldedText('The answer as JSON', JSON.stringify(answer, null, 2)),
  );
}

function foldedText(title, text) {
  const copy = el('button', { type: 'button', class: 'copy' }, 'Copy');
  copy.addEventListener('click', async () => {
    copy.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Select it to copy',
    );
  });
  return el('details', {}, el('summary', {}, title), el('div', {}, copy, el('pre', { tabindex: 0 }, text)));
}
