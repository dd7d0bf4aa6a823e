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
