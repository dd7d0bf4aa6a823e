// `npm start`: compiles what has changed, then runs the sample app in this process.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (compile()) createRequire(import.meta.url)('../dist-app/sample-app/main.js');
else process.exitCode = 1;
