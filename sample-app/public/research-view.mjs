/** A result of research: the report with its sources, what is not known, and what pages disagree about. */
import { el, outside } from './dom.mjs';
import { factsView, usageText, warningsView } from './panel.mjs';
import { answerView, citationItem } from './search-view.mjs';

/** Why the searches ended, in words. */
const STOPS = {
  complete: 'everything was found',
  no_new_pages: 'no new page was found',
  no_new_findings: 'two rounds found nothing',
  rounds: 'the rounds of this effort',
  budget: 'the budget of this server',
  deadline: 'the time of this server',
};
const REASONS = {
  partly_found: 'Only a part was found.',
  search_failed: 'Its search failed.',
  not_read: 'The model did not read its passages.',
  not_found: 'No page says it.',
  not_searched: 'It was not searched.',
};

/**
 * @param {any} body the body of the answer
 * @param {{ call: (tool: string, request: object) => Promise<any>, say: (text: string) => void }} page calls tools, and speaks to screen
 *   readers
 */
export function researchView({ data, seconds_taken: secondsTaken }, page) {
  const { report, research, engine, usage, cached, open_questions: open, disagreements } = data;
  const { searches, pages_read: read, rounds, stopped } = research;
  const made = [
    [
      'Searches',
      `${searches} in ${rounds} rounds, ${read} pages read; ended by ${STOPS[stopped] ?? stopped}`,
    ],
    ['Written by', engine],
    ['Model', usageText(usage)],
    ['Time', `${secondsTaken.toFixed(2)} s${cached ? ', from the cache' : ''}`],
  ];
  const listed = (title, items) =>
    items.length > 0 ? [el('h3', {}, title), el('ul', { class: 'points' }, ...items)] : [];
  return el(
    'article',
    { class: 'result' },
    ...warningsView(data.warnings),
    el('h2', { class: 'visually-hidden' }, 'Report'),
    // Its headings are lines of their own.
    answerView({ ...data, answer: report.replace(/^#{1,6} /gm, '') }, (citation) =>
      citationItem(citation, page),
    ),
    ...listed(
      'Pages disagree',
      disagreements.map(({ need, text }) =>
        el('li', {}, outside('strong', need), ' ', outside('span', text)),
      ),
    ),
    ...listed(
      'Not known',
      open.map(({ need, queries, reason }) =>
        el(
          'li',
          {},
          outside('span', need),
          el(
            'p',
            { class: 'meta' },
            REASONS[reason] ?? reason,
            ...queries.map((query) => outside('span', query)),
          ),
        ),
      ),
    ),
    el('h3', {}, 'How it was made'),
    factsView(made),
  );
}
