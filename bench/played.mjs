/**
 * Summaries by a model, with replies that one language model wrote for captured prompts without knowledge of the checks (see bench/played).
 *
 *   npm run bench -- played                 figures by the style of the reply
 *   npm run bench -- played --read a13   reply and result of the runs whose names begin so, whole
 *
 * The package must have been built.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { NestFactory } from '@nestjs/core';
import { memoryTranscripts, SummarizerService, ToolsModule } from '../dist/index.js';
import { sentencesOf } from '../dist/text/sentences.js';

/** A statement counts as shown when this share of its words stands in one unit of the result. */
const SHOWN = 0.8;
/** Milliseconds for each word of the last paragraph of a talk. */
const MS_A_WORD = 400;

const lines = (name) =>
  readFileSync(join(import.meta.dirname, 'played', name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const RUNS = lines('summaries.jsonl');
const TALKS = Object.fromEntries(lines('talks.jsonl').map((talk) => [talk.id, transcriptOf(talk)]));
const at = process.argv.indexOf('--read');
const wanted = at < 0 ? undefined : process.argv[at + 1];
const rows = [];
for (const run of RUNS) if (!wanted || run.run.startsWith(wanted)) rows.push(await play(run));
if (wanted) rows.forEach(print);
else report(rows);

/** Paragraphs with the second at which each begins, as segments. */
function transcriptOf({ title, channel, language, chapters, paragraphs }) {
  const segments = paragraphs.map(([second, text], i) => {
    const end = paragraphs[i + 1]?.[0] ?? second + (text.split(/\s+/).length * MS_A_WORD) / 1000;
    return { startMs: second * 1000, endMs: Math.max(end, second + 1) * 1000, text };
  });
  const durationMs = segments.at(-1).endMs;
  return {
    title,
    channel: channel ?? undefined,
    language,
    durationMs,
    segments,
    chapters: chapters.map((chapter, i) => ({
      title: chapter.title,
      startMs: chapter.second * 1000,
      endMs: chapters[i + 1] ? chapters[i + 1].second * 1000 : durationMs,
    })),
  };
}

/** Plays the replies of a run. A repair is answered with the text as it was: the worst case. */
async function play(run) {
  const calls = [];
  let writes = 0;
  const of = (stage) => run.replies.filter((reply) => reply.stage === stage);
  const answer = (prompt) => {
    const part = /Part (\d+) of \d+\. Note/.exec(prompt)?.[1];
    if (part) return { stage: 'map', ...of('map')[part - 1] };
    const own = of('write');
    if (prompt.includes('A check did not find'))
      return { ...own[Math.min(writes, own.length) - 1], stage: 'repair' };
    return own[Math.min(writes++, own.length - 1)];
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      const parsed = JSON.parse(body);
      const prompt = parsed.messages.map(({ content }) => textOf(content)).join('\n');
      const { stage, text = '', finish = 'stop' } = answer(prompt) ?? {};
      calls.push({ stage, prompt });
      const chunk = (delta, reason = null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'played', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of text.match(/[^]{1,40}/g) ?? []) response.write(chunk({ content: piece }));
      response.end(`${chunk({}, finish)}data: [DONE]\n\n`);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider = createOpenAICompatible({
    name: 'played',
    baseURL: `http://127.0.0.1:${server.address().port}/v1`,
  });
  const app = await NestFactory.createApplicationContext(
    ToolsModule.forRoot({
      apiKeys: ['played'],
      model: provider('played'),
      modelOptions: { attempts: 2, backOffMs: 1, ...run.modelOptions },
      youtube: { transcripts: [memoryTranscripts(TALKS)] },
      search: false,
    }),
    { logger: false },
  );
  const { method, length, output_language: outputLanguage } = run.request;
  let [result, error, shown] = [undefined, undefined, ''];
  try {
    result = await app.get(SummarizerService).summarize(
      { contentId: run.talk, method, length, outputLanguage },
      {
        onProgress: ({ stage, text }) => {
          if (stage === 'rewrite') shown = '';
          shown += text ?? '';
        },
      },
    );
  } catch (thrown) {
    error = thrown;
  }
  await app.close();
  server.closeAllConnections();
  server.close();
  return {
    run,
    calls,
    result,
    error,
    isStreamed: shown === result?.summary,
    statements: scored(run, result),
  };
}

function textOf(content) {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

/** The statements of the reply that counts, each with what became of it. */
function scored(run, result) {
  const reply = run.replies.filter(({ stage }) => stage === 'write').at(-1).text;
  const marked = (result?.unsupported ?? []).map(({ text }) => text);
  const units = result
    ? [
        ...sentencesOf(result.summary),
        ...result.keyPoints.map(({ text }) => text),
        ...result.sections.map(({ title, summary }) => `${title} ${summary}`),
      ]
    : [];
  return statementsOf(reply).map((text) => {
    const wrong = run.wrong.find(({ begins }) => fold(text).join(' ').includes(fold(begins).join(' ')));
    const shown = units.filter((unit) => isIn(text, unit));
    return {
      text,
      kind: wrong?.kind,
      isShown: shown.length > 0,
      // In a mark, or with its sign in the text.
      isMarked: marked.some((one) => isIn(text, one)) || shown.some((unit) => unit.includes('[?]')),
    };
  });
}

/** Sentences, key points and sections of a reply, whatever its form. */
function statementsOf(reply) {
  const object = /^(?:<think>[^]*<\/think>\s*)?(\{"summary"[^]*)$/.exec(reply.trim())?.[1];
  if (object) {
    const { summary, key_points: points, sections } = JSON.parse(object);
    return [
      ...plainSentences(summary),
      ...points.map(({ text }) => text),
      ...sections.map(({ title, text }) => `${title} ${text}`),
    ].filter((text) => fold(text).length > 1);
  }
  const json = /^(?:```json)?\s*(\{[^]*\}|\[\s*\{[^]*\])/.exec(reply.trim())?.[1];
  if (json) return leavesOf(JSON.parse(json)).filter((text) => fold(text).length > 3);
  return plainSentences(
    reply.replace(/<think>[^]*<\/think>/, '').replace(/["{}`[\]|*#]+|\b\d{1,2}:\d\d\b/g, ' '),
  );
}

/** The texts in a JSON value, without quotations. */
function leavesOf(value, name = '') {
  if (typeof value === 'string')
    return /quote|words|evidence/.test(name) ? [] : /[.!?] /.test(value) ? sentencesOf(value) : [value];
  return Object.entries(value ?? {}).flatMap(([key, item]) =>
    leavesOf(item, Array.isArray(value) ? name : key),
  );
}

/** Sentences that say something of the talk: no headings, no talk about the summary. */
function plainSentences(text) {
  return text
    .split('\n')
    .flatMap((line) => sentencesOf(line))
    .filter(
      (sentence) =>
        fold(sentence).length > 4 &&
        !/^\s*(?:sure|of course|here (?:is|are)|i hope|let me|note:|¡?claro|aquí|espero)/i.test(sentence),
    );
}

function fold(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isIn(text, unit) {
  const has = new Set(fold(unit));
  const own = fold(text).filter((word) => !/^\d{1,3}$/.test(word) || has.has(word));
  return own.filter((word) => has.has(word)).length >= SHOWN * own.length;
}

function report(all) {
  const styles = [...new Set(all.map(({ run }) => run.style))];
  const share = (n, of) => `${n} / ${of}`;
  const line = (name, list) => {
    const right = list.flatMap(({ statements }) => statements.filter(({ kind }) => !kind));
    const wrong = list.flatMap(({ statements }) => statements.filter(({ kind }) => kind));
    return {
      style: name,
      runs: list.length,
      'right shown': share(right.filter(({ isShown }) => isShown).length, right.length),
      'right marked': right.filter(({ isMarked }) => isMarked).length,
      'wrong unmarked': share(
        wrong.filter(({ isShown, isMarked }) => isShown && !isMarked).length,
        wrong.length,
      ),
      prose: list.filter(({ result }) => result?.warnings.some(({ code }) => code === 'reply_unstructured'))
        .length,
      repairs: list.filter(({ calls }) => calls.some(({ stage }) => stage === 'repair')).length,
      failed: list.filter(({ error }) => error).length,
      'stream differs': list.filter(({ result, isStreamed }) => result && !isStreamed).length,
    };
  };
  console.table([
    ...styles.map((style) =>
      line(
        style,
        all.filter(({ run }) => run.style === style),
      ),
    ),
    line('all', all),
  ]);
  const wrong = all.flatMap(({ statements }) => statements.filter(({ kind }) => kind));
  console.log('Wrong statements that are neither left out nor marked, by kind:');
  for (const kind of new Set(wrong.map((one) => one.kind))) {
    const own = wrong.filter((one) => one.kind === kind);
    console.log(
      `  ${kind}: ${own.filter(({ isShown, isMarked }) => isShown && !isMarked).length} of ${own.length}`,
    );
  }
  const good = all.filter(({ run, result }) => run.wrong.length === 0 && result);
  const costly = good.filter(({ calls }) => calls.some(({ stage }) => stage === 'repair'));
  console.log(
    `Replies without a wrong statement that cost a repair: ${costly.length} of ${good.length} (${costly.map(({ run }) => run.run).join(', ')})`,
  );
  for (const { run, error } of all.filter((row) => row.error))
    console.log(`failed: ${run.run}: ${error.message}`);
  for (const { run, statements } of all) {
    const lost = statements.filter(({ kind, isShown }) => !kind && !isShown);
    if (lost.length > 0)
      console.log(`lost in ${run.run}:${lost.map(({ text }) => `\n    ${text}`).join('')}`);
  }
}

function print({ run, calls, result, error, statements }) {
  console.log(
    `\n===== ${run.run} ${JSON.stringify(run.request)} calls: ${calls.map(({ stage }) => stage).join(', ')}`,
  );
  console.log(run.replies.map(({ stage, text }) => `--- ${stage}\n${text}`).join('\n'));
  console.log('--- result');
  if (error) return console.log(String(error));
  console.log(result.summary);
  for (const { text, startMs } of result.keyPoints) console.log(`* ${startMs / 1000} ${text}`);
  for (const { title, startMs, endMs, summary } of result.sections)
    console.log(`# ${startMs / 1000}–${endMs / 1000} ${title} | ${summary}`);
  console.log(`coverage ${result.coverage}, grounding ${result.grounding}`, result.unsupported ?? '');
  for (const { code, message } of result.warnings) console.log(`! ${code}: ${message}`);
  for (const { text, kind, isShown, isMarked } of statements)
    if (kind || !isShown || isMarked)
      console.log(
        `  ${kind ?? 'right'} ${isShown ? 'shown' : 'not shown'} ${isMarked ? 'marked' : ''}: ${text}`,
      );
}
