const { transformSync } = require('@swc/core');

/** Compiles TypeScript for Jest, as `nest build` does. It checks no types: `npm run typecheck` does. */
module.exports = {
  process: (source, filename) =>
    transformSync(source, {
      filename,
      swcrc: false,
      sourceMaps: 'inline',
      module: { type: 'es6' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
        keepClassNames: true,
      },
    }),
};
