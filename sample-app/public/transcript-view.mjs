/** The words of a video below its summary; the lines of its key points are marked. */
import { CallError } from './client.mjs';
import { el, outside } from './dom.mjs';
import { errorView, warningsView } from './panel.mjs';

/**
 * @param {{
 *   content: any, points: any[], pointItems: HTMLElement[], call: (tool: string, request: object) => Promise<any>,
 *   lineTime: (seconds: number) => HTMLElement
 * }} options `pointItems` are the entries of `points`; `lineTime` shows a second, and opens the video there
 */
export function transcriptView({ content, points, pointItems, call, lineTime }) {
  const body = el('div', {});
  const details = el('details', { class: 'transcript' }, el('summary', {}, 'Transcript'), body);
  details.addEventListener('toggle', () => {
    if (details.open && body.childElementCount === 0) void readPart();
  });

  async function readPart(cursor) {
    const waiting = el('ol', { class: 'steps' }, el('li', {}, 'Fetching the transcript'));
    body.append(waiting);
    try {
      const request = { content_id: content.id, language: content.language, ...(cursor ? { cursor } : {}) };
      const { data } = await call('get_transcript', request);
      const more = el('button', { type: 'button', class: 'read' }, 'Show more');
      more.addEventListener('click', () => {
        more.remove();
        void readPart(data.next_cursor);
      });
      const lines = el('ol', {
        class: 'lines',
        lang: content.language,
        tabindex: 0,
        'aria-label': 'Transcript',
      });
      lines.append(...data.segments.map(lineView));
      waiting.replaceWith(...warningsView(data.warnings), lines, ...(data.next_cursor ? [more] : []));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const failure = errorView(error, () => {
        failure.remove();
        void readPart(cursor);
      });
      failure.removeAttribute('id');
      waiting.replaceWith(failure);
    }
  }

  function lineView({ start_seconds: start, end_seconds: end, text }, index, segments) {
    const next = segments[index + 1];
    const until = next ? Math.floor(next.start_seconds) : end;
    const at = points.findIndex(({ start_seconds: second }) => second >= Math.floor(start) && second < until);
    const time = lineTime(Math.floor(start));
    const words = outside('span', text);
    const line = el('li', {}, time);
    // A click anywhere on the line opens the second.
    (time.tagName === 'A' ? time : line).append(words);
    if (at >= 0) {
      const lead = () => {
        pointItems[at].focus({ preventScroll: true });
        pointItems[at].scrollIntoView({ block: 'center' });
      };
      line.classList.add('key');
      line.append(el('button', { type: 'button', class: 'tag', onclick: lead }, 'Key point'));
    }
    return line;
  }
  return details;
}
