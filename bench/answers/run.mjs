/** Takes questions through the package's own search and answer, as a host would. */
import { documents } from '../../dist/search/providers/documents.provider.js';
import { resolveSearchOptions } from '../../dist/search/search.options.js';
import { SearchService } from '../../dist/tools/search-web.js';
import { ExtractiveAnswer } from '../../dist/search/answer/extractive-answer.js';
import { gatherEvidence } from '../../dist/search/answer/evidence.js';
import { featuresOf } from '../../dist/search/answer/features.js';
import { analyseQuestion } from '../../dist/search/answer/question.js';

/** Documents that a question is asked over: those of its row, of the whole file, or only the note that it is about. */
export const SCOPES = {
  row: (row) => row.documents,
  file: (_row, rows) => rows,
  note: (row) => [row.note],
};

/**
 * @returns for each row `{ row, features, probability, quotes }`, in order
 */
export async function runQuestions(rows, scope) {
  const everything = [...new Map(rows.flatMap((r) => r.documents).map((d) => [d.url, d])).values()];
  const services = new Map();
  const results = [];
  for (const row of rows) {
    const corpus = SCOPES[scope](row, everything);
    const key = corpus.map((d) => d.url).join(' ');
    if (!services.has(key)) services.set(key, service(corpus));
    const { search, seen } = services.get(key);
    const { llm } = await search.search({ query: row.question, llmAnswer: true });
    results.push({
      row,
      features: seen.features,
      probability: llm.answerableProbability,
      quotes: llm.citations.map((c) => c.quote),
      text: llm.answer,
    });
  }
  return results;
}

function service(corpus) {
  const engine = new ExtractiveAnswer();
  const seen = { features: [] };
  const answers = {
    engine: engine.engine,
    answer(query, passages, context) {
      seen.features = featuresOf(gatherEvidence(analyseQuestion(query), passages));
      return engine.answer(query, passages, context);
    },
  };
  const options = resolveSearchOptions({ answerDeadlineMs: 60_000 });
  return { search: new SearchService({ providers: [documents(corpus)], answers, options }), seen };
}

/** Whether the first quotation has the words that answer the question. */
export function pickedRight({ row, quotes }) {
  return fold(quotes[0] ?? '').includes(fold(row.answer));
}

function fold(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s’'"“”]+/g, ' ')
    .trim();
}
