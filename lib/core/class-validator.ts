import { isMissing } from './ports.js';

// The peer that npm leaves out with `--legacy-peer-deps`. `require` is there in the published package, which is CommonJS.
if (typeof require === 'function') {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import cannot be caught
    require('class-validator');
  } catch (error) {
    if (!isMissing(error, 'class-validator')) throw error;
    throw new Error('nestjs-tools needs the package `class-validator`: npm install class-validator', {
      cause: error,
    });
  }
}
