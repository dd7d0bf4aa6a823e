import type { ToolContext } from '../../lib/core/context.js';
import { embeddedAnswers } from '../../lib/embedded/answer/embedded-answers.js';
import type { SearchDocument } from '../../lib/search/ranking/document-index.js';
import type { SearchHit, SearchProvider, SearchQuery } from '../../lib/search/search-provider.js';
import type { SearchOptions } from '../../lib/search/search.options.js';
import { resolveToolOption } from '../../lib/tools/tool-definition.js';
import { SEARCH_WEB, SearchService, type SearchCollaborators } from '../../lib/tools/search-web.js';

/** A few pages about school subjects. */
export const PAGES: SearchDocument[] = [
  {
    url: 'https://school.example/cell',
    title: 'The cell',
    text: 'Eukaryotic cells contain organelles such as the nucleus, mitochondria, ribosomes and the Golgi apparatus. A human cell has about a thousand mitochondria. The nucleus holds the DNA. Robert Hooke discovered cells in 1665 with a simple microscope.',
    publishedAt: '2026-11-01',
  },
  {
    url: 'https://school.example/vesuvius',
    title: 'Mount Vesuvius',
    text: 'Mount Vesuvius erupted in AD 79 and buried Pompeii. The ash lay up to six metres deep. Pliny the Younger described the eruption in two letters.',
    publishedAt: '2020-05-04',
  },
  {
    url: 'https://sport.example/world-cup',
    title: 'The World Cup',
    text: 'Uruguay won the first World Cup in 1930. Brazil has won the World Cup five times. Germany beat Argentina in the final of 2014 in Rio de Janeiro.',
  },
  {
    url: 'https://rios.example/tejo',
    title: 'O rio Tejo',
    text: 'O Tejo é o rio mais extenso da Península Ibérica. Nasce na Serra de Albarracín, em Espanha, e desagua em Lisboa. Tem um comprimento de 1007 quilómetros.',
  },
  {
    url: 'https://berge.example/zugspitze',
    title: 'Die Zugspitze',
    text: 'Die Zugspitze ist mit 2962 Metern der höchste Berg in Deutschland. Am 27. August 1820 stand Josef Naus als Erster auf dem Gipfel.',
  },
];

type Behaviour = (query: SearchQuery, context: ToolContext) => Promise<SearchHit[]>;

/** A provider that does what the test says, and remembers how it was asked. */
export class StubProvider implements SearchProvider {
  readonly queries: SearchQuery[] = [];
  readonly signals: AbortSignal[] = [];
  constructor(
    readonly name: string,
    private readonly behaviour: Behaviour,
  ) {}

  async search(query: SearchQuery, context: ToolContext): Promise<{ hits: SearchHit[] }> {
    this.queries.push(query);
    this.signals.push(context.signal);
    return { hits: await this.behaviour(query, context) };
  }
}

/** Answers with these hits at once. */
export function answering(name: string, hits: SearchHit[]): StubProvider {
  return new StubProvider(name, async () => hits);
}

/** Never answers; rejects when its signal fires, as a fetch would. */
export function hanging(name: string): StubProvider {
  return new StubProvider(
    name,
    (_query, context) =>
      new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
      }),
  );
}

export function failing(name: string, error: Error): StubProvider {
  return new StubProvider(name, () => Promise.reject(error));
}

export function serviceWith(
  providers: SearchProvider[],
  options: SearchOptions = {},
  more: Partial<SearchCollaborators> = {},
): SearchService {
  return new SearchService({
    providers,
    answers: embeddedAnswers(),
    options: resolveToolOption(SEARCH_WEB.option, options),
    ...more,
  });
}

export function hit(n: number, more: Partial<SearchHit> = {}): SearchHit {
  const words = [
    'amber',
    'basalt',
    'cedar',
    'dune',
    'ember',
    'fjord',
    'glacier',
    'heather',
    'island',
    'juniper',
  ];
  const own = Array.from({ length: 12 }, (_, i) => `${words[(n + i * (n + 1)) % 10]}${n}${i}`).join(' ');
  return { url: `https://site${n}.example/page`, title: `Page ${n}`, snippet: `Rivers and ${own}.`, ...more };
}
