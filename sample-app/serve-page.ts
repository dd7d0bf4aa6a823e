import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** Below the folder that the process is started in, as by `npm start`, in the container and in the tests. */
const FOLDER = resolve('sample-app/public');

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

/** Serves the page to try both tools on at `/`. */
export function servePage(app: NestExpressApplication): void {
  app.useStaticAssets(FOLDER, {
    redirect: false,
    setHeaders: (response) => {
      response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      response.setHeader('Cache-Control', 'no-cache');
    },
  });
}
