import { answerTo } from '../../test/support/fake-llm/answers.mjs';

/**
 * Plays the replies of a case and says what was lost of what was true, and what got through of what was junk.
 *
 * @param one a case of cases.mjs
 * @param fake the server that plays the model
 * @param summarize takes content, request and a listener for progress
 * @returns {Promise<{ held: number, lost: string[], junk: string[], details: string }>}
 */
export async function judge(one, fake, summarize) {
  const { summary, error, wanted, streamed, prompts } = await play(one, fake, summarize);
  const lost = [];
  const junk = [];
  let held = 0;
  const want = (what, holds) => (holds ? held++ : lost.push(what));
  const text = summary?.text ?? '';
  const points = summary?.keyPoints ?? [];
  const sections = (summary?.sections ?? []).map(({ title, summary: told }) => `${title} — ${told}`);
  const seconds = (ms) => Math.floor(ms / 1000);
  for (const pattern of one.text ?? []) want(`text ${pattern}`, pattern.test(text));
  for (const [pattern, second] of one.points ?? []) {
    const found = points.filter((point) => pattern.test(point.text));
    const at = (point) => second === undefined || Math.abs(seconds(point.startMs) - second) <= 1;
    want(
      `point ${pattern}${second === undefined ? '' : ` at ${second} (${found.map(({ startMs }) => seconds(startMs))})`}`,
      found.some(at),
    );
  }
  for (const pattern of one.sections ?? [])
    want(
      `section ${pattern}`,
      sections.some((section) => pattern.test(section)),
    );
  if (one.sectionTimes) {
    const starts = (summary?.sections ?? []).map(({ startMs }) => seconds(startMs));
    want(`sections at ${one.sectionTimes} (${starts})`, String(starts) === String(one.sectionTimes));
  }
  if (one.error) want(`error ${one.error} (${error?.code ?? 'none'})`, error?.code === one.error);
  else if (error) lost.push(`error ${error.code ?? error.name}: ${error.message}`);
  if (one.calls) want(`${one.calls} calls (${prompts.length})`, prompts.length === one.calls);
  if (one.honoured !== undefined) {
    const honoured = summary?.language === wanted.outputLanguage && summary?.otherLanguage === undefined;
    want(`honoured ${one.honoured}`, honoured === one.honoured);
  }
  const warnings = summary?.warnings ?? [];
  for (const code of one.warns ?? [])
    want(
      `warning ${code}`,
      warnings.some((warning) => warning.code === code),
    );
  for (const pattern of one.asks ?? [])
    want(
      `asks ${pattern}`,
      prompts.some((prompt) => pattern.test(prompt)),
    );
  for (const pattern of one.unasked ?? [])
    if (prompts.some((prompt) => pattern.test(prompt))) junk.push(`asked ${pattern}`);
  if (one.grounding) {
    const [least, most] = one.grounding;
    const value = summary?.grounding ?? 0;
    want(`grounding ${least}..${most} (${summary?.grounding})`, value >= least && value <= most);
  }
  if (one.coverage)
    want(`coverage ${one.coverage} (${summary?.coverage})`, summary?.coverage === one.coverage);
  if (one.mostPoints)
    want(`at most ${one.mostPoints} points (${points.length})`, points.length <= one.mostPoints);
  if (one.noted) {
    const claims = one.noted();
    const plain = (text) => text.replaceAll('"', '');
    const material = plain(prompts.at(-1));
    const reached = claims.filter((claim) => material.includes(plain(claim))).length;
    want(
      `${claims.length} notes reach the writer (${reached})`,
      claims.length > 0 && reached === claims.length,
    );
  }
  if (one.samePrefix) {
    const other = await play(
      { ...one, request: { ...one.request, outputLanguage: one.samePrefix } },
      fake,
      summarize,
    );
    const [a, b] = [prompts[0], other.prompts[0]];
    let same = 0;
    while (same < a.length && a[same] === b[same]) same++;
    want(`same beginning (${same} of ${a.length})`, a.slice(0, same).includes('</material'));
  }
  const shown = [text, ...points.map((point) => point.text), ...sections].join('\n');
  for (const pattern of one.junk ?? []) {
    if (pattern.test(shown)) junk.push(`${pattern} in the result`);
    else if (one.unstreamed !== false && pattern.test(streamed)) junk.push(`${pattern} in the stream`);
  }
  for (const pattern of one.junkPoints ?? [])
    if (points.some((point) => pattern.test(point.text))) junk.push(`point ${pattern}`);
  for (const pattern of one.junkStream ?? [])
    if (pattern.test(streamed)) junk.push(`${pattern} in the stream`);
  const fields = [text, points.map((point) => point.text).join('\n'), sections.join('\n')];
  if (one.once && fields.some((field) => [...field.matchAll(one.once)].length > 1))
    junk.push(`${one.once} more than once`);
  const details = JSON.stringify(
    { text, points, sections: summary?.sections, streamed, warnings, error: error?.message },
    null,
    1,
  );
  return { held, lost, junk, details };
}

/** Plays a case: what the caller got, in the end and while it was written. */
async function play({ talk, reply, request }, fake, summarize) {
  fake.reset();
  let n = 0;
  fake.settings.answer = (prompt, settings, call) => {
    if (typeof reply === 'function')
      return reply(prompt, { ...call, default: () => answerTo(prompt, settings) });
    const replies = Array.isArray(reply) ? reply : [reply];
    return replies[Math.min(n++, replies.length - 1)];
  };
  const deltas = [];
  const onProgress = ({ stage, text }) => {
    if (text !== undefined) deltas.push(text);
    else if (stage === 'rewrite') deltas.push('\n---\n');
  };
  const wanted = { method: 'auto', outputLanguage: 'en', length: 'medium', ...request };
  try {
    const summary = await summarize(talk, wanted, onProgress);
    return { summary, wanted, streamed: deltas.join(''), prompts: fake.calls.map(({ prompt }) => prompt) };
  } catch (error) {
    return { error, wanted, streamed: deltas.join(''), prompts: fake.calls.map(({ prompt }) => prompt) };
  }
}
