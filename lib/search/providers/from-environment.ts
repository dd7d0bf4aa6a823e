import { InvalidOptionError } from '../../core/errors/index.js';
import type { SearchProvider } from '../search-provider.js';
import { brave, braveLlmContext } from './brave.provider.js';
import { exa } from './exa.provider.js';
import { firecrawl } from './firecrawl.provider.js';
import { jina } from './jina.provider.js';
import { kagi } from './kagi.provider.js';
import { linkup } from './linkup.provider.js';
import { marginalia } from './marginalia.provider.js';
import { mojeek } from './mojeek.provider.js';
import { perplexity } from './perplexity.provider.js';
import { searxng } from './searxng.provider.js';
import { serper } from './serper.provider.js';
import { tavily } from './tavily.provider.js';
import { wikipedia } from './wikipedia.provider.js';
import { you } from './you.provider.js';

/** Environment variables by name, e.g. `process.env`; this library reads none by itself. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Recipe = (variable: {
  required(name: string): string;
  optional(name: string): string | undefined;
}) => SearchProvider;

/** Names accepted in `SEARCH_PROVIDERS`, and the variables that each provider takes. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  searxng: ({ required }) => searxng({ url: required('SEARXNG_URL') }),
  brave: ({ required }) => brave({ apiKey: required('BRAVE_API_KEY') }),
  'brave-llm-context': ({ required }) => braveLlmContext({ apiKey: required('BRAVE_API_KEY') }),
  tavily: ({ required }) => tavily({ apiKey: required('TAVILY_API_KEY') }),
  exa: ({ required }) => exa({ apiKey: required('EXA_API_KEY') }),
  serper: ({ required }) => serper({ apiKey: required('SERPER_API_KEY') }),
  perplexity: ({ required }) => perplexity({ apiKey: required('PERPLEXITY_API_KEY') }),
  you: ({ optional }) => you({ apiKey: optional('YDC_API_KEY') }),
  linkup: ({ required }) => linkup({ apiKey: required('LINKUP_API_KEY') }),
  kagi: ({ required }) => kagi({ apiKey: required('KAGI_API_KEY') }),
  jina: ({ required }) => jina({ apiKey: required('JINA_API_KEY') }),
  firecrawl: ({ optional, required }) => {
    const baseUrl = optional('FIRECRAWL_URL');
    return firecrawl(
      baseUrl
        ? { baseUrl, apiKey: optional('FIRECRAWL_API_KEY') }
        : { apiKey: required('FIRECRAWL_API_KEY') },
    );
  },
  wikipedia: ({ optional }) => wikipedia({ contact: optional('WIKIPEDIA_CONTACT') }),
  mojeek: ({ required }) => mojeek({ apiKey: required('MOJEEK_API_KEY') }),
  marginalia: ({ required }) => marginalia({ apiKey: required('MARGINALIA_API_KEY') }),
};

/** The names that `SEARCH_PROVIDERS` accepts. */
export const ENVIRONMENT_PROVIDERS: readonly string[] = Object.keys(RECIPES);

/**
 * The providers that `SEARCH_PROVIDERS` names, in its order: `you,wikipedia`, or `searxng` with `SEARXNG_URL`, `brave`
 * with `BRAVE_API_KEY` and so on. Undefined when the variable is unset or empty, so that a host can keep its default.
 *
 * @param own further names of the host, e.g. `{ documents: () => documents([…]) }`
 * @throws InvalidOptionError naming what is accepted, for an unknown name, a name given twice or a missing variable
 */
export function providersFromEnvironment(
  environment: Environment,
  own: Readonly<Record<string, () => SearchProvider>> = {},
): SearchProvider[] | undefined {
  const names = (environment.SEARCH_PROVIDERS ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length === 0) return undefined;
  if (new Set(names).size < names.length)
    throw new InvalidOptionError('SEARCH_PROVIDERS', 'names of which none comes twice', names.join(','));
  return names.map((name) => {
    const ownRecipe = Object.hasOwn(own, name) ? own[name] : undefined;
    if (ownRecipe) return ownRecipe();
    const recipe = Object.hasOwn(RECIPES, name) ? RECIPES[name] : undefined;
    if (recipe) return recipe(variablesFor(name, environment));
    const accepted = [...Object.keys(own), ...ENVIRONMENT_PROVIDERS].join(', ');
    throw new InvalidOptionError(
      'SEARCH_PROVIDERS',
      `a comma-separated list of names out of ${accepted}`,
      name,
    );
  });
}

function variablesFor(provider: string, environment: Environment): Parameters<Recipe>[0] {
  const optional = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return {
    optional,
    required: (name) => {
      const value = optional(name);
      if (value === undefined)
        throw new InvalidOptionError(
          name,
          `set, because SEARCH_PROVIDERS names ${provider}`,
          environment[name],
        );
      return value;
    },
  };
}
