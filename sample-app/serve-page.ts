import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DEMO_ARTICLES } from './content/articles/index.js';
import type { Settings } from './settings.js';

/** Next to the compiled app, whatever folder the process is started in. The tests run the sources, as modules without `__dirname`. */
const FOLDER =
  typeof __dirname === 'undefined'
    ? resolve('sample-app/public')
    : join(__dirname, '../../sample-app/public');

/**
 * The page shows titles, passages and answers that strangers wrote. It therefore loads nothing but its own files, and the browser
 * refuses every way to turn a string into markup or code.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Swagger UI has inline styles and pictures in `data:` addresses. */
const OF_SWAGGER_UI = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Middleware: headers for every answer of the sample app, that of a wrong path too. */
export function secured(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const isSwagger = /^\/docs(?:[/?]|$)/.test(request.url ?? '');
  response.setHeader(
    'Content-Security-Policy',
    isSwagger ? OF_SWAGGER_UI : "default-src 'none'; frame-ancestors 'none'",
  );
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  next();
}

/** Serves the page to try the tools on at `/`, and `page.json` with what it says about this server. */
export function servePage(app: NestExpressApplication, settings: Settings): void {
  const about = JSON.stringify({ search: searched(settings), videos: summarized(settings) });
  app.use('/page.json', (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Content-Type', 'application/json').end(about);
  });
  app.useStaticAssets(FOLDER, {
    redirect: false,
    setHeaders: (response) => {
      response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      response.setHeader('Cache-Control', 'no-cache');
    },
  });
}

/** Names of the providers that search the demo articles. */
const OF_DEMO_ARTICLES: ReadonlySet<string> = new Set(['documents', 'postgres']);

function searched({ searchProviders }: Settings): string {
  const names = searchProviders.map(({ name }) => name);
  if (names.every((name) => OF_DEMO_ARTICLES.has(name)))
    return `Searches ${DEMO_ARTICLES.length} demo articles. Set SEARCH_PROVIDERS to search the web.`;
  return `Searches with ${names.map((name) => (OF_DEMO_ARTICLES.has(name) ? 'the demo articles' : name)).join(', then ')}.`;
}

function summarized({ youtube }: Settings): string {
  return youtube
    ? 'Any video on YouTube with captions, or a demo talk.'
    : 'Demo talks only: this server runs with YOUTUBE=off.';
}
