/** A result of list_videos: tick videos, and summarize them two at a time. */
import { CallError, callTool } from './client.mjs';
import { clock, count, el, link, outside } from './dom.mjs';
import { errorView, warningsView } from './panel.mjs';
import { summaryView } from './summary-view.mjs';

/** Summaries at once. A server of one's own would run a batch. */
const AT_ONCE = 2;

/** What a visitor has typed, as the one field of the request that fits. */
export function listed(text) {
  const typed = text.trim();
  // A link that does not lead to YouTube may be the feed of a podcast.
  if (/^https?:\/\/(?!(?:[\w-]+\.)*youtu(?:be\.com|\.be)(?:[/:?#]|$))/i.test(typed))
    return { channel: typed };
  if (/[?&]list=|^(?:PL|UU|OLAK5uy_)[\w-]{10,}$/.test(typed)) return { playlist: typed };
  if (/^@|^UC[\w-]{22}$|\/(?:@|channel\/|c\/|user\/|feeds\/)/.test(typed)) return { channel: typed };
  return { query: typed };
}

/**
 * @param {any} body the body of the answer
 * @param {{ key: () => string, isDemo: (id: string) => boolean, call: (tool: string, request: object) => Promise<any>, say: (text: string) => void }} options
 */
export function listView({ data }, { key, isDemo, call, say }) {
  const rows = data.items.map((item) => rowOf(item));
  const start = el('button', { type: 'button', class: 'primary' }, 'Summarize');
  const all = el('input', { type: 'checkbox', 'aria-label': 'All videos' });
  const ticked = () => rows.filter(({ box }) => box.checked && !box.disabled);
  const refresh = () => {
    const number = ticked().length;
    start.textContent = number === 0 ? 'Tick videos to summarize' : `Summarize ${count(number, 'video')}`;
    start.disabled = number === 0;
  };
  all.addEventListener('change', () => {
    for (const { box } of rows) if (!box.disabled) box.checked = all.checked;
    refresh();
  });
  for (const { box } of rows) box.addEventListener('change', refresh);
  start.addEventListener('click', () => {
    const queue = ticked();
    for (const { box } of queue) box.disabled = true;
    refresh();
    say(`Summarizing ${count(queue.length, 'video')}`);
    const work = async () => {
      for (let row = queue.shift(); row; row = queue.shift()) await summarize(row);
    };
    void Promise.all(Array.from({ length: AT_ONCE }, work)).then(() => say('All summaries are ready'));
  });
  refresh();

  async function summarize(row) {
    const { item, place } = row;
    const bar = el('progress', { 'aria-label': `Summary of ${item.title}` });
    place.replaceChildren(bar);
    const onEvent = ({ name, data: { done, total } }) => {
      if (name !== 'progress' || !(total > 1)) return;
      bar.max = total;
      bar.value = done ?? 0;
    };
    try {
      const request = { content_id: item.content_id, length: 'short' };
      const body = await callTool('summarize_content', request, { key: key(), onEvent });
      const whole = el('details', {}, el('summary', {}, 'Key points and transcript'));
      whole.addEventListener('toggle', () => whole.append(summaryView(body, { isDemo, call, say })), {
        once: true,
      });
      place.replaceChildren(
        outside('p', body.data.summary, { class: 'prose', lang: body.data.output_language?.used }),
        whole,
      );
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const failure = errorView(error, () => summarize(row));
      failure.removeAttribute('id');
      place.replaceChildren(failure);
    }
  }

  const rest = data.next_cursor ? ' There are more: the answer has next_cursor.' : '';
  return el(
    'article',
    { class: 'result' },
    el('header', {}, outside('h2', data.title ?? 'Videos')),
    ...warningsView(data.warnings),
    el(
      'p',
      { class: 'meta' },
      `${count(rows.length, 'video')}${data.total ? ` of ${data.total}` : ''}.${rest}`,
    ),
    rows.length > 0 && el('p', { class: 'ticks' }, el('label', {}, all, ' All'), start),
    el('ol', { class: 'videos' }, ...rows.map(({ line }) => line)),
  );

  function rowOf(item) {
    const box = el('input', { type: 'checkbox', 'aria-label': item.title, disabled: item.is_live === true });
    const place = el('div', { class: 'place' });
    const facts = [
      item.channel && outside('span', item.channel),
      item.duration_seconds !== undefined && el('span', {}, clock(item.duration_seconds)),
      item.published_at && el('span', {}, item.published_at.slice(0, 10)),
      item.is_live && el('span', {}, 'live or to come'),
    ];
    const title = isDemo(item.content_id) ? outside('span', item.title) : link(item.url, item.title);
    const line = el(
      'li',
      {},
      box,
      el('div', {}, title, el('p', { class: 'meta' }, ...facts.filter(Boolean)), place),
    );
    return { item, box, place, line };
  }
}

/** A list in one line, for screen readers. */
export const listReady = ({ data }) => `${count(data.items.length, 'video')} listed`;
