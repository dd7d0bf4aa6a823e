import articles from './articles.json';

/** One short encyclopaedic article of the demo collection, in the shape of a document for a local search index. */
export interface DemoArticle {
  /** Unique identity of the article; the host name ends in the reserved `.example`, so it never resolves. */
  url: string;
  /** The subject, in the language of the article. */
  title: string;
  /** Plain text of 150..320 words; paragraphs are separated by a blank line. */
  text: string;
  /** Language of `title` and `text`. */
  language: 'en' | 'es' | 'de';
}

/**
 * The demo search collection: cell biology and other school subjects, so that the sample app answers a search at once with
 * no key and no network. Every article is original and was written for this project, under its licence; none is copied
 * from another work.
 */
// TypeScript widens the strings of a JSON module, so `language` has to be narrowed here.
export const DEMO_ARTICLES: DemoArticle[] = articles as DemoArticle[];
