/** A page as every fake provider knows it. */
export interface FakePage {
  url: string;
  title: string;
  text: string;
  /** ISO date. */
  published: string;
}

const page = (url: string, title: string, published: string, text: string): FakePage => ({
  url,
  title,
  published,
  text,
});

/** What the fake providers have indexed. */
export const PAGES: readonly FakePage[] = [
  page(
    'https://biology.example/organelles',
    'Organelles & their functions',
    '2024-03-05',
    'Common organelles of a human cell are the nucleus, mitochondria & ribosomes. Each organelle has a "job".',
  ),
  page(
    'https://biology.example/mitochondria?view=full&lang=en',
    'Mitochondria – the cell’s power plants',
    '2023-11-20',
    'Mitochondria are organelles that make most of the ATP of a cell; 2 < 30 membranes matter here.',
  ),
  page(
    'https://cells.example.org/golgi',
    'Golgi apparatus',
    '2022-07-01',
    'The Golgi apparatus is an organelle that packs proteins.',
  ),
  page(
    'https://cells.example.org/lysosome',
    'Lysosome',
    '2021-01-15',
    'Lysosomes are organelles that digest waste.',
  ),
  page(
    'https://www.news.example/2025/organelle',
    'A new organelle is reported',
    '2025-05-09',
    'Researchers report an organelle, the hemifusome.',
  ),
  page(
    'https://encyclopedia.example/wiki/Ribosome',
    'Ribosome',
    '2020-02-02',
    'Ribosomes are organelles without a membrane that make proteins.',
  ),
];

export interface FakeFilter {
  include?: readonly string[];
  exclude?: readonly string[];
  limit?: number;
}

/** The pages that share a word of at least four letters with the query, in index order; knows `site:` and `-site:`. */
export function findPages(query: string, filter: FakeFilter = {}): FakePage[] {
  const operators = (pattern: RegExp): string[] =>
    [...query.matchAll(pattern)].map((match) => match[1] as string);
  const include = [...(filter.include ?? []), ...operators(/(?:^|\s)site:(\S+)/g)];
  const exclude = [...(filter.exclude ?? []), ...operators(/(?:^|\s)-site:(\S+)/g)];
  const words =
    query
      .replace(/-?site:\S+/g, '')
      .toLowerCase()
      .match(/[a-z]{4,}/g) ?? [];
  return PAGES.filter((candidate) => {
    const host = new URL(candidate.url).hostname;
    const within = (domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
    const text = `${candidate.title} ${candidate.text}`.toLowerCase();
    return (
      words.some((word) => text.includes(word.replace(/s$/, ''))) &&
      (include.length === 0 || include.some(within)) &&
      !exclude.some(within)
    );
  }).slice(0, filter.limit ?? PAGES.length);
}

/** The text as HTML, the word `organelle` marked up. */
export function asHtml(text: string, tag: string, close = tag): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return escaped.replace(/organelles?/gi, (word) => `<${tag}>${word}</${close}>`);
}

/** Names in `given` that are not in `known`: a misspelt parameter that the real service would ignore or refuse. */
export function unknownNames(given: Iterable<string>, known: readonly string[]): string[] {
  return [...given].filter((name) => !known.includes(name));
}
