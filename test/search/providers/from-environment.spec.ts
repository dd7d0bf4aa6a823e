import {
  ENVIRONMENT_PROVIDERS,
  providersFromEnvironment,
} from '../../../lib/search/providers/from-environment.js';

const every = {
  SEARXNG_URL: 'http://127.0.0.1:8888',
  BRAVE_API_KEY: 'k',
  TAVILY_API_KEY: 'k',
  EXA_API_KEY: 'k',
  SERPER_API_KEY: 'k',
  PERPLEXITY_API_KEY: 'k',
  PARALLEL_API_KEY: 'k',
  LINKUP_API_KEY: 'k',
  KAGI_API_KEY: 'k',
  JINA_API_KEY: 'k',
  FIRECRAWL_API_KEY: 'k',
  MOJEEK_API_KEY: 'k',
  MARGINALIA_API_KEY: 'public',
};

describe('providersFromEnvironment', () => {
  it('gives the providers in the order they are named', () => {
    const names = providersFromEnvironment({ SEARCH_PROVIDERS: ' you, Wikipedia ,' })?.map(
      (provider) => provider.name,
    );
    expect(names).toEqual(['you', 'wikipedia']);
  });

  it('knows every provider by its own name', () => {
    const providers = providersFromEnvironment({
      ...every,
      SEARCH_PROVIDERS: ENVIRONMENT_PROVIDERS.join(','),
    });
    expect(providers?.map((provider) => provider.name)).toEqual(ENVIRONMENT_PROVIDERS);
    expect(ENVIRONMENT_PROVIDERS).toHaveLength(16);
  });

  it.each([undefined, '', ' , '])('leaves the host its default when SEARCH_PROVIDERS is %j', (value) => {
    expect(providersFromEnvironment({ SEARCH_PROVIDERS: value })).toBeUndefined();
  });

  it('names the accepted values if a name is unknown', () => {
    expect(() => providersFromEnvironment({ SEARCH_PROVIDERS: 'you,gooogle' })).toThrow(
      /SEARCH_PROVIDERS.*searxng, brave.*wikipedia.*received the string "gooogle"/,
    );
    expect(() => providersFromEnvironment({ SEARCH_PROVIDERS: 'toString' })).toThrow(/SEARCH_PROVIDERS/);
  });

  it.each([
    ['searxng', 'SEARXNG_URL'],
    ['brave', 'BRAVE_API_KEY'],
    ['brave-llm-context', 'BRAVE_API_KEY'],
    ['exa', 'EXA_API_KEY'],
    ['serper', 'SERPER_API_KEY'],
    ['perplexity', 'PERPLEXITY_API_KEY'],
    ['parallel', 'PARALLEL_API_KEY'],
    ['linkup', 'LINKUP_API_KEY'],
    ['kagi', 'KAGI_API_KEY'],
    ['jina', 'JINA_API_KEY'],
    ['mojeek', 'MOJEEK_API_KEY'],
    ['marginalia', 'MARGINALIA_API_KEY'],
  ])('names the variable that %s is missing', (name, variable) => {
    expect(() => providersFromEnvironment({ SEARCH_PROVIDERS: name, [variable]: ' ' })).toThrow(
      new RegExp(`\`${variable}\` must be set, because SEARCH_PROVIDERS contains ${name}`),
    );
  });

  it('refuses a name given twice', () => {
    expect(() => providersFromEnvironment({ SEARCH_PROVIDERS: 'you,you' })).toThrow(/unique provider names/);
  });

  it('takes a host’s own names', () => {
    const own = { name: 'documents', search: () => Promise.resolve({ hits: [] }) };
    const providers = providersFromEnvironment(
      { SEARCH_PROVIDERS: 'documents,you' },
      { documents: () => own },
    );
    expect(providers?.[0]).toBe(own);
    expect(() => providersFromEnvironment({ SEARCH_PROVIDERS: 'x' }, { documents: () => own })).toThrow(
      /documents, searxng/,
    );
  });

  it.each(['you', 'tavily', 'firecrawl'])('makes %s without a key, with a notice of its limit', (name) => {
    const [provider] = providersFromEnvironment({ SEARCH_PROVIDERS: name }) ?? [];
    expect(provider).toMatchObject({ name, notice: expect.stringContaining('without a key') });
  });

  it('tells Wikipedia the contact', () => {
    const noticeWith = (environment: object): unknown =>
      providersFromEnvironment({ SEARCH_PROVIDERS: 'wikipedia', ...environment })?.[0]?.notice;
    expect(noticeWith({})).toMatch(/CONTACT/);
    expect(noticeWith({ CONTACT: 'ops@example.org' })).toBeUndefined();
  });

  it('asks a Firecrawl of one’s own without a key', () => {
    expect(
      providersFromEnvironment({ SEARCH_PROVIDERS: 'firecrawl', FIRECRAWL_URL: 'http://127.0.0.1:3002' }),
    ).toHaveLength(1);
  });
});
