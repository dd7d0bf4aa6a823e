/** A result of summarize_content. */
import { askView } from './ask-view.mjs';
import { dataView } from './data-view.mjs';
import { clock, count, el, languageName, link, outside, percent } from './dom.mjs';
import { unsupportedView, withMarks } from './marks.mjs';
import { factsView, paragraphs, usageText, warningsView } from './panel.mjs';
import { transcriptView } from './transcript-view.mjs';

const METHODS = { simple: 'in one go', recursive: 'part by part', multi_modal: 'words and pictures' };
const CAPTIONS = {
  manual: 'captions by a person',
  automatic: 'automatic captions',
  translated: 'machine-translated captions',
};

/**
 * @param {any} body the body of the answer
 * @param {{ isDemo: (id: string) => boolean, call: (tool: string, request: object) => Promise<any>, say: (text: string) => void }} options demo talks have no video, so
 *   their times are not links
 */
export function summaryView({ data, seconds_taken: secondsTaken }, { isDemo, call, say }) {
  const { content, key_points: points = [], sections = [] } = data;
  const demo = isDemo(content.id);
  const open = unsupportedView(data.unsupported);
  const duration = durationOf(content, points, sections);
  const pointItems = points.map((point) => pointItem(point, demo));
  const sectionItems = sections.map((section, index) => sectionItem(section, index, content, demo));
  return el(
    'article',
    { class: 'result' },
    el(
      'header',
      {},
      el(
        'h2',
        {},
        demo ? outside('span', content.title ?? content.id) : link(content.url, content.title ?? content.url),
      ),
      el('p', { class: 'meta' }, ...metaOf(content, demo)),
    ),
    ...warningsView(data.warnings),
    el(
      'div',
      { class: 'prose', lang: data.output_language?.used },
      ...withMarks(paragraphs(data.summary), new Map(), open.marked),
    ),
    ...open.list,
    data.output &&
      dataView(
        data.output,
        new Map(
          data.output_grounding.map(({ field, quote, start_seconds: start, url }) => [
            field,
            { quote, link: timeOf(start, url, demo) },
          ]),
        ),
        data.output_complete,
      ),
    duration > 0 && points.length + sections.length > 0
      ? timeline({ points, sections, pointItems, sectionItems, duration })
      : undefined,
    points.length > 0 && el('h3', {}, 'Key points'),
    points.length > 0 && el('ol', { class: 'points', lang: data.output_language?.used }, ...pointItems),
    sections.length > 0 && el('h3', {}, 'Sections'),
    sections.length > 0 && el('ol', { class: 'sections', lang: data.output_language?.used }, ...sectionItems),
    askView({ content, call, say, timeOf: (seconds, url) => timeOf(seconds, url, demo) }),
    transcriptView({
      content,
      points,
      pointItems,
      call,
      lineTime: (seconds) => timeOf(seconds, atSecond(content.url, seconds), demo),
    }),
    el('h3', {}, 'How it was made'),
    factsView(factsOf(data, secondsTaken)),
  );
}

/** Seconds; the end of the last section or point where the length is not known. */
function durationOf({ duration_seconds: seconds }, points, sections) {
  return (
    seconds ??
    Math.max(0, ...sections.map((one) => one.end_seconds), ...points.map((one) => one.start_seconds))
  );
}

function metaOf({ channel, duration_seconds: seconds, language, captions }, demo) {
  const parts = [
    channel && outside('span', channel),
    seconds !== undefined && el('span', {}, clock(seconds)),
    el('span', {}, languageName(language)),
    el('span', {}, CAPTIONS[captions] ?? captions),
    demo && el('span', {}, 'demo talk, no video'),
  ];
  return parts.filter(Boolean);
}

/** A time that opens the video there. */
const timeOf = (seconds, url, demo) =>
  demo
    ? el('span', { class: 'time' }, clock(seconds))
    : link(url, clock(seconds), { class: 'time', 'aria-label': `Open the video at ${clock(seconds)}` });

const pointItem = ({ text, start_seconds: start, url, source }, demo) =>
  el(
    'li',
    { tabindex: -1 },
    timeOf(start, url, demo),
    el(
      'span',
      {},
      outside('span', text),
      source === 'frame' && el('span', { class: 'tag' }, 'seen in the picture'),
    ),
  );

function sectionItem({ title, start_seconds: start, end_seconds: end, summary }, index, content, demo) {
  // A section without a chapter is called by its times, which stand next to it.
  const name = /^[\d:]+–[\d:]+$/.test(title) ? `Part ${index + 1}` : title;
  return el(
    'li',
    { tabindex: -1 },
    timeOf(start, atSecond(content.url, start), demo),
    el(
      'div',
      {},
      el('h4', {}, outside('span', name), el('small', {}, ` ${clock(end - start)}`)),
      outside('p', summary),
    ),
  );
}

function atSecond(address, seconds) {
  if (!URL.canParse(address)) return '';
  const url = new URL(address);
  url.searchParams.set('t', `${seconds}s`);
  return url.href;
}

/** A bar over the length of the video: sections as stretches, key points as dots. Each leads to its entry below. */
function timeline({ points, sections, pointItems, sectionItems, duration }) {
  const place = (element, from, to) => {
    element.style.setProperty('--from', String(Math.min(1, from / duration)));
    element.style.setProperty('--to', String(Math.min(1, to / duration)));
    return element;
  };
  const stretches = sections.map(({ title, start_seconds: start, end_seconds: end }, index) =>
    place(jump('stretch', `${clock(start)} ${title}`, sectionItems[index]), start, end),
  );
  const dots = points.map(({ text, start_seconds: start, source }, index) =>
    place(
      jump(source === 'frame' ? 'dot seen' : 'dot', `${clock(start)} ${text}`, pointItems[index]),
      start,
      start,
    ),
  );
  return el(
    'figure',
    { class: 'timeline' },
    el(
      'div',
      { class: 'track', role: 'group', 'aria-label': 'Where sections and key points lie in the video' },
      ...stretches,
      ...dots,
    ),
    el(
      'figcaption',
      {},
      el('span', {}, clock(0)),
      el('span', {}, [count(sections.length, 'section'), count(points.length, 'key point')].join(', ')),
      el('span', {}, clock(duration)),
    ),
  );
}

/** A button that leads to an entry, and lights up with it. */
function jump(className, label, item) {
  const button = el('button', { type: 'button', class: className, title: label, 'aria-label': label });
  const light = (on) => () => {
    button.classList.toggle('lit', on);
    item.classList.toggle('lit', on);
  };
  for (const one of [button, item]) {
    one.addEventListener('pointerenter', light(true));
    one.addEventListener('pointerleave', light(false));
    one.addEventListener('focusin', light(true));
    one.addEventListener('focusout', light(false));
  }
  button.addEventListener('click', () => {
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: 'center' });
  });
  return button;
}

function factsOf(data, secondsTaken) {
  const { output_language: language } = data;
  return [
    [
      'Method',
      [`${data.method}, ${METHODS[data.method] ?? ''}`, data.method_reason].filter(Boolean).join('. '),
    ],
    ['Written by', data.engine === 'extractive' ? 'the embedded engine: passages of the video' : data.engine],
    [
      'Language',
      language &&
        (language.honoured
          ? languageName(language.used)
          : `${languageName(language.used)}; ${languageName(language.requested)} was asked for`),
    ],
    ['Coverage', data.coverage === undefined ? undefined : `${percent(data.coverage)} of the video`],
    [
      'Grounding',
      data.grounding === undefined
        ? undefined
        : `${percent(data.grounding)} of the checked statements stand in the transcript`,
    ],
    ['Model', usageText(data.usage)],
    ['Time', `${secondsTaken.toFixed(2)} s${data.cached ? ', from the cache' : ''}`],
  ];
}
