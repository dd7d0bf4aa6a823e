import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { createApp } from './create-app.js';
import { openApiDocument } from './openapi-document.js';
import { readSettings } from './settings.js';

/** Writes `openapi.json`, or the file named on the command line. */
async function main(): Promise<void> {
  const app = await createApp(await readSettings({}), { logger: false });
  const file = process.argv[2] ?? 'openapi.json';
  await writeFile(file, `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
  await app.close();
  process.stdout.write(`${file} written\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
