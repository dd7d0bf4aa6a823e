/** Takes questions through the package's own search, up to what the embedded answer engine reads. */
import { documents } from '../../dist/search/providers/documents.provider.js';
import { SEARCH_WEB, SearchService } from '../../dist/tools/search-web.js';
import { resolveToolOption } from '../../dist/tools/tool-definition.js';
import { readQuestion } from '../../dist/embedded/answer/candidates.js';
import { candidateFeatures } from '../../dist/embedded/answer/scoring.js';
import { holdsAnswer } from './sets.mjs';

/**
 * @param topN sources of an answer, as a request has it
 * @returns for each row `{ row, all, features, labels }`: the candidates of the engine, and which of them have the answer
 */
export async function readRows(rows, topN = 5) {
  const services = new Map();
  const items = [];
  for (const row of rows) {
    if (!services.has(row.documents)) services.set(row.documents, serviceOf(row.documents));
    const { search, seen } = services.get(row.documents);
    await search.search({ query: row.question, topN, llmAnswer: true });
    const all = readQuestion(row.question, seen.passages);
    const labels = all.list.map(({ passage, unit }) => {
      const isGold = row.answerable && row.urls.includes(all.passages[passage].passage.url);
      return isGold && holdsAnswer(unit.text, row.answers);
    });
    items.push({ row, all, features: candidateFeatures(all), labels });
  }
  return items;
}

function serviceOf(corpus) {
  const seen = { passages: [] };
  const answers = {
    engine: 'read',
    answer(_query, passages) {
      seen.passages = passages;
      return {
        text: '',
        outcome: 'not_found',
        answerableProbability: 0,
        citations: [],
        engine: 'read',
        warnings: [],
      };
    },
  };
  const options = resolveToolOption(SEARCH_WEB.option, { answerDeadlineMs: 60_000 });
  return { search: new SearchService({ providers: [documents(corpus)], answers, options }), seen };
}
