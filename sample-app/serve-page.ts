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

/** Serves the page to try both tools on at `/`. */
export function servePage(app: NestExpressApplication): void {
  app.useStaticAssets(FOLDER, {
    redirect: false,
    setHeaders: (response) => {
      response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Referrer-Policy', 'no-referrer');
      response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
      response.setHeader('Cache-Control', 'no-cache');
    },
  });
}
