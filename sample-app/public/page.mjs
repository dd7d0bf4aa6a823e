/** The page to try the tools on. It uses the public HTTP interface and nothing else. */
import { callTool } from './client.mjs';
import { schemaIn } from './data-view.mjs';
import { clock, el, languageName } from './dom.mjs';
import { listed, listReady, listView } from './list-view.mjs';
import { toolPanel } from './panel.mjs';
import { researchView } from './research-view.mjs';
import { searchReady, searchView } from './search-view.mjs';
import { summaryView } from './summary-view.mjs';

/** The demo talks of the sample app, which stand in for videos. */
const TALKS = [
  { id: 'sampleTalk1', title: 'Coral reefs', seconds: 665, language: 'en' },
  { id: 'sampleTalk2', title: 'How databases keep promises', seconds: 1348, language: 'en' },
  { id: 'sampleTalk3', title: 'A history of clocks', seconds: 5434, language: 'en' },
  { id: 'sampleTalk4', title: 'Sourdough bread', seconds: 845, language: 'en' },
  { id: 'sampleTalk5', title: 'Chocolate', seconds: 894, language: 'es' },
  { id: 'sampleTalk6', title: 'Railways', seconds: 811, language: 'de' },
  { id: 'sampleTalk7', title: 'Winds of the Atlantic', seconds: 430, language: 'pt' },
];

/** Questions to the demo articles, which are answered without a model too. */
const QUESTIONS = [
  'Common organelles within a human eukaryote',
  'When did humans first land on the Moon?',
  'What causes the seasons?',
  'What causes earthquakes?',
  'How long is the Nile?',
  'Wo entspringt der Rhein?',
];

const key = document.querySelector('#key');
const status = document.querySelector('#status');

/** Calls another tool for a result. */
const call = async (tool, request) => callTool(tool, request, { key: key.value.trim() });
const say = (text) => (status.textContent = text);

// Both forms have the same field for a schema.
const { content: schemaField } = document.querySelector('#schema-field');
for (const box of document.querySelectorAll('.schema')) box.append(schemaField.cloneNode(true));

const summarize = toolPanel({
  root: document.querySelector('#summarize'),
  tool: 'summarize_content',
  verb: 'Summarize',
  key,
  status,
  request: (form) => ({
    content_id: form.get('content_id').trim(),
    output_language: form.get('output_language'),
    length: form.get('length'),
    method: form.get('method'),
    ...schemaIn(form),
  }),
  result: (body) => summaryView(body, { isDemo: (id) => TALKS.some((talk) => talk.id === id), call, say }),
  ready: ({ data }) => `Summary of ${data.content.title ?? data.content.id} ready`,
});

const search = toolPanel({
  root: document.querySelector('#search'),
  tool: 'search_web',
  verb: 'Search',
  key,
  status,
  request: (form) => ({
    query: form.get('query'),
    top_n: Number(form.get('top_n')),
    llm_answer: form.get('llm_answer') === 'true',
    // Left out of the request, they filter nothing.
    ...(form.get('freshness') ? { freshness: form.get('freshness') } : {}),
    ...(form.get('language') ? { language: form.get('language') } : {}),
    ...(form.get('llm_answer') === 'true' ? schemaIn(form) : {}),
  }),
  result: (body) => searchView(body, { call, say }),
  ready: searchReady,
});

const isDemo = (id) => TALKS.some((talk) => talk.id === id);
const list = toolPanel({
  root: document.querySelector('#list'),
  tool: 'list_videos',
  verb: 'List',
  key,
  status,
  request: (form) => listed(form.get('listed')),
  result: (body) => listView(body, { key: () => key.value.trim(), isDemo, call, say }),
  ready: listReady,
});

toolPanel({
  root: document.querySelector('#research'),
  tool: 'research',
  verb: 'Research',
  key,
  status,
  request: (form) => ({
    question: form.get('question'),
    effort: form.get('effort'),
    length: form.get('length'),
  }),
  result: (body) => researchView(body, { call, say }),
  ready: () => 'Report ready',
});

// A result on the page follows the choice between passages and an answer.
for (const choice of document.querySelectorAll('[name=llm_answer]')) {
  choice.addEventListener('change', () => {
    if (document.querySelector('#search .result')) void search.run();
  });
}

offer('#talks', '#content-id', summarize, TALKS, ({ id, title, seconds, language }) => ({
  value: id,
  // Without a model a summary is in the language of its talk.
  also: { output_language: language },
  label: [el('span', {}, title), el('small', {}, `${clock(seconds)} · ${languageName(language)}`)],
}));
offer('#lists', '#listed', list, ['@sample-talks'], (name) => ({ value: name, label: [name] }));
offer('#questions', '#query', search, QUESTIONS, (question) => ({ value: question, label: [question] }));

/** Buttons that fill in the field and send the form. */
function offer(list, field, panel, samples, show) {
  const input = document.querySelector(field);
  const items = samples.map((sample) => {
    const { value, label, also = {} } = show(sample);
    const choose = () => {
      input.value = value;
      for (const [name, chosen] of Object.entries(also)) input.form.elements[name].value = chosen;
      void panel.run();
      // The list folds, and would take the focus with it.
      input.focus();
    };
    return el('li', {}, el('button', { type: 'button', onclick: choose }, ...label));
  });
  document.querySelector(list).append(...items);
}

/** The key stays in this field. It is hidden while nobody edits it, except for the demo key, which is no secret. */
const cover = () => (key.type = key.value === 'demo-key' ? 'text' : 'password');
key.addEventListener('focus', () => (key.type = 'text'));
key.addEventListener('blur', cover);
cover();

const tabs = [...document.querySelectorAll('[role=tab]')];

function choose(tab, { focus = false } = {}) {
  for (const one of tabs) {
    const chosen = one === tab;
    one.setAttribute('aria-selected', String(chosen));
    one.tabIndex = chosen ? 0 : -1;
    document.getElementById(one.getAttribute('aria-controls')).hidden = !chosen;
  }
  if (focus) tab.focus();
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener('click', () => {
    choose(tab);
    history.replaceState(null, '', `#${tab.getAttribute('aria-controls')}`);
  });
  tab.addEventListener('keydown', ({ key: pressed }) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[pressed];
    if (to !== undefined) choose(tabs.at(to % tabs.length), { focus: true });
  });
}

const named = tabs.find((tab) => `#${tab.getAttribute('aria-controls')}` === location.hash);
if (named) choose(named);

// What this server searches and summarizes.
const { search: searched, videos } = await fetch(new URL('page.json', document.baseURI)).then((answer) =>
  answer.json(),
);
document.querySelector('#searched').textContent = searched;
document.querySelector('#summarized').textContent = videos;
