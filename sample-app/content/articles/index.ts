import { articles } from './articles.js';
import type { DemoArticle } from './demo-article.js';

export type { DemoArticle } from './demo-article.js';

/**
 * The demo search collection: cell biology and other school subjects, so that the sample app answers a search at once with
 * no key and no network. Every article is original and was written for this project, under its licence; none is copied
 * from another work.
 */
export const DEMO_ARTICLES: readonly DemoArticle[] = articles;
