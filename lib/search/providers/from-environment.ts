import { InvalidOptionError } from '../../core/errors.js';
import type { SearchProvider } from '../search-provider.js';
import { brave, braveLlmContext } from './brave.provider.js';
import { exa } from './exa.provider.js';
import { firecrawl } from './firecrawl.provider.js';
import { jina } from './jina.provider.js';
import { kagi } from './kagi.provider.js';
import { linkup } from './linkup.provider.js';
import { marginalia } from './marginalia.provider.js';
import { mojeek } from './mojeek.provider.js';
import { parallel } from './parallel.provider.js';
import { perplexity } from './perplexity.provider.js';
import { searxng } from './searxng.provider.js';
import { serper } from './serper.provider.js';
import { tavily } from './tavily.provider.js';
import { wikipedia } from './wikipedia.provider.js';
import { you } from './you.provider.js';

/** Environment variables by name, e.g. `process.env`. This package reads none by itself. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Variables {
  /** @throws InvalidOptionError when the variable is unset or empty */
  required(name: string): string;
  optional(name: string): string | undefined;
}

/** The names of `SEARCH_PROVIDERS`, and the variables that each provider uses. */
const RECIPES: Readonly<Record<string, (variables: Variables) => SearchProvider>> = {
  searxng: ({ required }) => searxng({ url: required('SEARXNG_URL') }),
  brave: ({ required }) => brave({ apiKey: required('BRAVE_API_KEY') }),
  'brave-llm-context': ({ required }) => braveLlmContext({ apiKey: required('BRAVE_API_KEY') }),
  tavily: ({ optional }) => tavily(keyFrom(optional('TAVILY_API_KEY'))),
  exa: ({ required }) => exa({ apiKey: required('EXA_API_KEY') }),
  serper: ({ required }) => serper({ apiKey: required('SERPER_API_KEY') }),
  perplexity: ({ required }) => perplexity({ apiKey: required('PERPLEXITY_API_KEY') }),
  parallel: ({ required }) => parallel({ apiKey: required('PARALLEL_API_KEY') }),
  you: ({ optional }) => you({ ...keyFrom(optional('YDC_API_KEY')), contact: optional('CONTACT') }),
  linkup: ({ required }) => linkup({ apiKey: required('LINKUP_API_KEY') }),
  kagi: ({ required }) => kagi({ apiKey: required('KAGI_API_KEY') }),
  jina: ({ required }) => jina({ apiKey: required('JINA_API_KEY') }),
  firecrawl: ({ optional }) =>
    firecrawl({ ...keyFrom(optional('FIRECRAWL_API_KEY')), baseUrl: optional('FIRECRAWL_URL') }),
  wikipedia: ({ optional }) => wikipedia({ contact: optional('CONTACT') }),
  mojeek: ({ required }) => mojeek({ apiKey: required('MOJEEK_API_KEY') }),
  marginalia: ({ required }) => marginalia({ apiKey: required('MARGINALIA_API_KEY') }),
};

/** `you`, `tavily` and `firecrawl` answer without a key as well. */
function keyFrom(apiKey: string | undefined): { apiKey?: string } {
  return apiKey === undefined ? {} : { apiKey };
}

/** The names that `SEARCH_PROVIDERS` accepts. */
export const ENVIRONMENT_PROVIDERS: readonly string[] = Object.keys(RECIPES);

/**
 * Makes the providers that `SEARCH_PROVIDERS` names, in its order: `you,wikipedia`, `searxng` (with `SEARXNG_URL`), `brave` (with
 * `BRAVE_API_KEY`) and so on. `you`, `tavily` and `firecrawl` work without their keys, with low limits. `CONTACT` is the contact
 * that Wikipedia and You.com are told.
 *
 * @param ofHost the host's own names, e.g. `{ documents: () => documents([…]) }`
 * @returns undefined when `SEARCH_PROVIDERS` is unset or empty
 * @throws InvalidOptionError for an unknown name, a duplicate name or a missing variable; it names what is accepted
 */
export function providersFromEnvironment(
  environment: Environment,
  ofHost: Readonly<Record<string, () => SearchProvider>> = {},
): SearchProvider[] | undefined {
  const names = (environment.SEARCH_PROVIDERS ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length === 0) return undefined;
  if (new Set(names).size < names.length)
    throw new InvalidOptionError('SEARCH_PROVIDERS', 'a list of unique provider names', names.join(','));
  // The host's own come first in the message, and win.
  const recipes: typeof RECIPES = { ...ofHost, ...RECIPES, ...ofHost };
  return names.map((name) => {
    const recipe = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
    if (recipe) return recipe(variablesFor(name, environment));
    const accepted = `a comma-separated list of these names: ${Object.keys(recipes).join(', ')}`;
    throw new InvalidOptionError('SEARCH_PROVIDERS', accepted, name);
  });
}

function variablesFor(provider: string, environment: Environment): Variables {
  const optional = (name: string): string | undefined => environment[name]?.trim() || undefined;
  return {
    optional,
    required: (name) => {
      const value = optional(name);
      if (value !== undefined) return value;
      const expected = `set, because SEARCH_PROVIDERS contains ${provider}`;
      throw new InvalidOptionError(name, expected, environment[name]);
    },
  };
}
