/**
 * What the compiler must accept and refuse of a host's options; checked by `npm run typecheck`. Nothing here runs: an expectation that no
 * longer holds is an error of its own.
 */
import { openai } from '@ai-sdk/openai';
import { Keyv } from 'keyv';
import {
  type ApiKeyStore,
  type SearchProvider,
  type Summarizer,
  type ToolsModuleAsyncOptions,
  type ToolsModuleSyncOptions,
  documents,
  memoryTranscripts,
  type SearchService,
  type SummarizerService,
  ToolsModule,
} from '../../lib/index.js';
import { READ_PAGE } from '../../lib/tools/read-page.js';
import { SEARCH_WEB } from '../../lib/tools/search-web.js';
import type { EveryTool } from '../../lib/tools/tools.js';

declare const store: ApiKeyStore;
declare const provider: SearchProvider;
declare class OwnSummarizer implements Summarizer {
  constructor(settings: object);
  readonly engine: string;
  readonly translates: boolean;
  summarize: Summarizer['summarize'];
}
declare class Settings {
  readonly keys: string[];
}

export const accepted: ToolsModuleSyncOptions[] = [
  {},
  {
    apiKeys: [
      'a',
      { key: 'b' },
      { hash: 'sha256:', name: 'c', expiresAt: new Date(), tools: ['search_web'] },
    ],
  },
  { apiKeys: ['a', 'b'] as const },
  { apiKeys: store },
  {
    apiKeys: {
      useFactory: (settings: Settings) => ({ verify: (key) => ({ id: key, name: settings.keys[0]! }) }),
    },
  },
  { summarize: false, search: false, cache: false },
  { summarize: { length: 'short', deadlineMs: 1000 }, summarizer: OwnSummarizer },
  { model: openai('gpt-5-mini'), modelOptions: { contextTokens: 8192 }, budget: { tokens: 1000 } },
  { youtube: { transcripts: [memoryTranscripts({ dQw4w9WgXcQ: 'words' })] } },
  { search: { providers: [provider, documents([])], maxTopN: 50, combine: 'all' } },
  { cache: new Keyv() },
  { path: 'tools', guards: [], controllers: ['summarize_content'], isGlobal: true, imports: [] },
];

export const acceptedAsync: ToolsModuleAsyncOptions[] = [
  { useFactory: () => ({ apiKeys: ['a'] }) },
  {
    inject: [Settings],
    useFactory: async ({ keys }: Settings) => ({ apiKeys: keys }),
    path: 'tools',
    controllers: false,
    guards: [],
  },
];

/** A tool that is missing in the list of tools does not compile; nor does one at another's place. */
export const everyTool: EveryTool<['search_web', 'read_page']> = [SEARCH_WEB, READ_PAGE];
export const incomplete: EveryTool<['search_web', 'read_page']>[] = [
  // @ts-expect-error -- one is missing
  [SEARCH_WEB],
  // @ts-expect-error -- wrong order
  [READ_PAGE, SEARCH_WEB],
];

export const refused: ToolsModuleSyncOptions[] = [
  // @ts-expect-error -- misspelt
  { apikeys: ['a'] },
  // @ts-expect-error -- one key is still a list
  { apiKeys: 'a' },
  // @ts-expect-error -- no such tool
  { apiKeys: [{ key: 'a', tools: ['search'] }] },
  // @ts-expect-error -- the only switch is off
  { summarize: true },
  // @ts-expect-error -- no such length
  { summarize: { length: 'huge' } },
  // @ts-expect-error -- milliseconds, not text
  { summarize: { deadlineMs: '2m' } },
  // @ts-expect-error -- a provider has a name and searches
  { search: { providers: [{ name: 'x' }] } },
  // @ts-expect-error -- no such language
  { search: { language: 'ja' } },
  // @ts-expect-error -- a model is an object of the AI SDK or a name
  { model: { name: 'gpt-5' } },
  // @ts-expect-error -- neither gets nor sets
  { cache: {} },
  // @ts-expect-error -- no such tool
  { controllers: ['translate'] },
];

// @ts-expect-error -- extras are outside the factory: controllers are made before it runs
export const pathInFactory: ToolsModuleAsyncOptions = { useFactory: () => ({ path: 'tools' }) };

export async function services(summarizer: SummarizerService, search: SearchService): Promise<string[]> {
  const { summary, keyPoints } = await summarizer.summarize(
    { contentId: 'dQw4w9WgXcQ', outputLanguage: 'pt', method: 'recursive' },
    { signal: new AbortController().signal, onProgress: ({ stage }) => void stage },
  );
  const { llm } = await search.search({ query: 'coral', topN: 3, llmAnswer: true });
  const { results } = await search.search({ query: 'coral', topN: 3 });
  const either = await search.search({ query: 'coral', llmAnswer: results.length > 2 });
  // @ts-expect-error -- either may be there
  void either.llm.answer;
  // @ts-expect-error -- wire names belong to the wire
  await search.search({ query: 'coral', top_n: 3 });
  // @ts-expect-error -- no such method
  await summarizer.summarize({ contentId: 'x', method: 'fast' });
  const probability: number | undefined = llm.answerableProbability;
  return [
    summary,
    ...keyPoints.map(({ text }) => text),
    ...results.map((r) => r.sourceUrl),
    String(probability),
  ];
}

ToolsModule.forRoot();
// @ts-expect-error -- the factory, class or existing provider is what makes it asynchronous
ToolsModule.forRootAsync();
