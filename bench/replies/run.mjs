/** Says replies over real HTTP, from a fake server, to the package's own model answers. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { withContext } from '../../dist/core/context.js';
import { ModelClient } from '../../dist/model/client.js';
import { embeddedAnswers } from '../../dist/embedded/answer/embedded-answers.js';
import { ModelAnswer } from '../../dist/search/answer/model-answer.js';
import { startFakeLlm } from '../../test/support/fake-llm/fake-llm.mjs';

/**
 * Calls `work` with `ask(question, passages, reply, verifier?, onProgress?)`, which gives the answer to what the fake model says. It says the same where it is
 * asked to repair it.
 */
export async function withFakeModel(work) {
  const fake = await startFakeLlm();
  try {
    const provider = createOpenAICompatible({
      name: 'fake',
      baseURL: fake.url,
      apiKey: 'key',
      includeUsage: true,
    });
    const client = new ModelClient(provider('fake-model'));
    const ask = (question, passages, reply, verifier, onProgress) => {
      fake.settings.answer = () => (typeof reply === 'string' ? reply : JSON.stringify(reply));
      const engine = new ModelAnswer(client, embeddedAnswers(0.5), verifier ? { verifier } : {});
      return withContext(60_000, onProgress ? { onProgress } : {}, (context) =>
        engine.answer(question, passages, context),
      );
    };
    return await work(ask, fake);
  } finally {
    await fake.close();
  }
}

/** The sources of an item as passages, in order. */
export function passagesOf(item) {
  return item.sources.map(({ title, url, text, published_at: publishedAt }, i) => ({
    title,
    url,
    text,
    score: 1 - i / 10,
    ...(publishedAt ? { publishedAt } : {}),
  }));
}

/** A reply in the form that the prompt asks for. */
export function replyOf(item, kind) {
  const { answerable, sentences } = item[kind];
  const number = new Map(item.sources.map((source, i) => [source.n, i + 1]));
  const marks = (sources) => [...new Set(sources)].map((n) => `[${number.get(n)}]`).join('');
  return {
    answerable,
    answer: sentences.map(({ text, sources }) => `${text} ${marks(sources)}`.trim()).join(' '),
    quotes: sentences.flatMap(({ quotes }) =>
      quotes.map(({ n, text }) => ({ n: number.get(n), quote: text })),
    ),
  };
}

/** How texts are compared: letters and digits in lower case. */
export function fold(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
