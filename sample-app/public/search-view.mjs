/** A result of search_web: passages, or an answer with its citations. */
import { dataView } from './data-view.mjs';
import { count, el, link, outside, percent, svg, webAddress } from './dom.mjs';
import { unsupportedView, withMarks } from './marks.mjs';
import { factsView, paragraphs, usageText, warningsView } from './panel.mjs';
import { pageReader } from './page-view.mjs';

const OUTCOMES = {
  answered: 'Answered',
  related: 'Related passages, possibly the answer',
  partly: 'Something is missing or doubtful',
  not_found: 'The sources say nothing about it',
};

/**
 * @param {any} body the body of the answer
 * @param {{ call: (tool: string, request: object) => Promise<any>, say: (text: string) => void }} page calls tools, and speaks to screen
 *   readers
 */
export function searchView({ data, seconds_taken: secondsTaken }, page) {
  const { llm, results = [], provider, cached } = data;
  const made = [
    ['Searched by', provider],
    [llm ? 'Sources read' : 'Results', String(data.total_results)],
    [
      'Written by',
      llm && (llm.engine === 'extractive' ? 'the embedded engine: sentences of the sources' : llm.engine),
    ],
    ['Model', usageText(llm?.usage)],
    ['Time', `${secondsTaken.toFixed(2)} s${cached ? ', from the cache' : ''}`],
  ];
  return el(
    'article',
    { class: 'result' },
    ...warningsView(data.warnings),
    el('h2', { class: 'visually-hidden' }, llm ? 'Answer' : 'Results'),
    llm ? answerView(llm, (citation) => citationItem(citation, page)) : resultsView(results, page),
    el('h3', {}, 'How it was made'),
    factsView(made),
  );
}

function resultsView(results, page) {
  if (results.length === 0)
    return el('p', { class: 'empty' }, 'Nothing was found. Try other words, or fewer of them.');
  return el('ol', { class: 'hits' }, ...results.map((result) => resultItem(result, page)));
}

function resultItem(result, page) {
  const { content, score, source_url: address, title } = result;
  const meter = el('span', {
    class: 'score',
    title: 'Relevance from 0 to 1, compared with the other results',
  });
  meter.style.setProperty('--score', String(score));
  meter.append(el('span', { class: 'visually-hidden' }, 'Relevance '), el('span', {}, score.toFixed(2)));
  const reader = pageReader(address, title ?? address, page);
  return el(
    'li',
    {},
    el('h3', {}, sourceLink(address, title ?? address, reader)),
    el('p', { class: 'meta' }, ...sourceMeta(result), meter),
    outside('p', content, { class: 'passage' }),
    reader.button,
    reader.region,
  );
}

/** The demo articles are on no server: their links open them here. */
function sourceLink(address, text, { open }) {
  if (webAddress(address)?.hostname !== 'demo.nestjs-tools.example') return link(address, text);
  const opens = (event) => {
    event.preventDefault();
    open();
  };
  return outside('a', text, { href: address, onclick: opens });
}

/** Host, date, provider and licence of a result or citation. */
function sourceMeta({ source_url: address, published_at: date, provider, license, attribution }) {
  const credit = [license, attribution].filter(Boolean).join(', ');
  return [
    outside('span', webAddress(address)?.hostname ?? address),
    date && el('time', { datetime: date }, dateText(date)),
    provider && outside('span', provider),
    credit && outside('span', credit),
  ].filter(Boolean);
}

/** An ISO 8601 date in words; any other text unchanged. */
function dateText(date) {
  const time = new Date(date);
  return Number.isNaN(time.getTime())
    ? date
    : time.toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });
}

/**
 * An answer with its probability and sources.
 * @param {any} llm
 * @param {(citation: any) => HTMLElement} itemOf shows a source
 */
export function answerView(
  { answer, outcome, answerable_probability: probability, citations = [], unsupported, ...data },
  itemOf,
) {
  const open = unsupportedView(unsupported);
  const items = new Map(citations.map((citation) => [citation.index, itemOf(citation)]));
  return el(
    'div',
    { class: 'answer' },
    el(
      'div',
      { class: 'verdict', 'data-outcome': outcome },
      gauge(probability),
      el(
        'p',
        {},
        el('strong', {}, OUTCOMES[outcome] ?? outcome ?? ''),
        el('span', {}, 'Estimated probability that the answer is right and its sources support it'),
      ),
    ),
    el('div', { class: 'prose' }, ...withMarks(paragraphs(answer), items, open.marked)),
    data.output && dataView(data.output, sourcesOf(data.grounding, citations), data.output_complete),
    citations.length > 0 && el('h3', {}, `${citations.length === 1 ? 'Source' : 'Sources'}`),
    citations.length > 0 && el('ol', { class: 'citations' }, ...items.values()),
    ...open.list,
  );
}

/** The quotation and the page of each value, by its JSON pointer. */
function sourcesOf(grounding, citations) {
  return new Map(
    grounding.map(({ field, citations: [number] }) => {
      const { quote, source_url: address, title } = citations.find(({ index }) => index === number);
      return [field, { quote, link: link(address, title || (webAddress(address)?.hostname ?? address)) }];
    }),
  );
}

/** A source of a text, with its quotation. */
export function citationItem(citation, page) {
  const name = citation.title ?? citation.source_url;
  const reader = pageReader(citation.source_url, name, page);
  return el(
    'li',
    { tabindex: -1 },
    el('span', { class: 'number', 'aria-hidden': 'true' }, String(citation.index)),
    el(
      'div',
      {},
      el('h4', {}, sourceLink(citation.source_url, name, reader)),
      el('p', { class: 'meta' }, ...sourceMeta(citation)),
      outside('blockquote', citation.quote),
      reader.button,
      reader.region,
    ),
  );
}

/** A half circle that is filled as far as the probability goes. */
function gauge(probability) {
  const path = 'M6 44 A38 38 0 0 1 82 44';
  return svg(
    'svg',
    {
      class: 'gauge',
      viewBox: '0 0 88 50',
      role: 'meter',
      'aria-label': 'Probability',
      'aria-valuemin': 0,
      'aria-valuemax': 1,
      'aria-valuenow': probability,
    },
    svg('path', { d: path, class: 'rail' }),
    svg('path', {
      d: path,
      class: 'fill',
      pathLength: 100,
      'stroke-dasharray': `${Math.max(probability * 100, 0.01)} 200`,
    }),
    svg('text', { x: 44, y: 42 }, percent(probability)),
  );
}

/** One line about a result. */
export const searchReady = ({ data }) =>
  data.llm ? (OUTCOMES[data.llm.outcome] ?? 'Answer ready') : `${count(data.results.length, 'result')} found`;
