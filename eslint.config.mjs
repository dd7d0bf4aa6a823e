import { importX } from 'eslint-plugin-import-x';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * Imports point down: http, mcp, agents, queue → tools → embedded → auth, research → summarize, search → writing → data → grounding → content, web, model → text →
 * core. A folder may import only the folders in its list. `embedded` implements the ports of `summarize` and `search`, which do not know each other or the embedded engines.
 * Nothing below `tools.module` knows the module's options. `redis`, `postgres` and `queue` are entries of their own: nobody imports them, so that
 * a host that does not use them loads nothing of them.
 */
const FOLDERS = {
  http: ['tools', 'auth', 'text', 'core'],
  tools: [
    'auth',
    'embedded',
    'summarize',
    'research',
    'search',
    'data',
    'grounding',
    'content',
    'model',
    'web',
    'text',
    'core',
  ],
  auth: ['core'],
  embedded: ['summarize', 'search', 'content', 'web', 'text', 'core'],
  summarize: ['writing', 'data', 'grounding', 'content', 'model', 'text', 'core'],
  research: ['search', 'writing', 'data', 'grounding', 'web', 'model', 'text', 'core'],
  search: ['writing', 'data', 'grounding', 'content', 'web', 'model', 'text', 'core'],
  writing: ['data', 'grounding', 'model', 'text', 'core'],
  data: ['grounding', 'model', 'text', 'core'],
  grounding: ['model', 'text', 'core'],
  content: ['model', 'web', 'text', 'core'],
  model: ['text', 'core'],
  web: ['text', 'core'],
  agents: ['tools', 'auth', 'model', 'text', 'core'],
  mcp: ['agents', 'http', 'tools', 'auth', 'web', 'core'],
  redis: ['core'],
  postgres: ['search', 'web', 'model', 'text', 'core'],
  queue: [
    'http',
    'tools',
    'auth',
    'summarize',
    'web',
    'text',
    'core',
    'tools.module.ts',
    'tools.module-definition.ts',
  ],
  text: ['core'],
  core: [],
};

const zones = Object.entries(FOLDERS).map(([folder, allowed]) => ({
  target: `./lib/${folder}`,
  from: './lib',
  except: [folder, ...allowed].map((name) => `./${name}`),
  message: `lib/${folder} may import only from: ${[folder, ...allowed].join(', ')}`,
}));

export default tseslint.config(
  { ignores: ['dist/', 'dist-app/', 'coverage/', 'node_modules/'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // A name for a mapped type: editors and messages show it.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['lib/**/*.ts'],
    ignores: ['lib/redis/**', 'lib/queue/**', 'lib/postgres/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['ioredis', 'bullmq', 'pg'],
          patterns: [
            {
              regex: '(^|/)(redis|queue|postgres)/',
              message: 'an entry of its own, which nobody imports',
            },
          ],
        },
      ],
    },
  },
  {
    // These need the date. All others measure time, and a system clock may be set back or forward.
    files: ['lib/**/*.ts'],
    ignores: [
      'lib/auth/{api-key-store,request-limits}.ts',
      'lib/content/youtube/lists/innertube-list.ts',
      'lib/core/upstream/retry.ts',
      'lib/queue/**',
      'lib/search/freshness.ts',
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Measure time with performance.now().' },
      ],
    },
  },
  {
    files: ['lib/**/*.ts'],
    plugins: { 'import-x': importX, regexp },
    rules: {
      // Strings from outside reach nearly every pattern. A bound such as {1,20} in place of + is enough.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { report: 'certain' }],
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      'no-console': 'error',
    },
    settings: {
      'import-x/resolver': { typescript: true, node: true },
      // Without these two the plugin ignores TypeScript files, and with them `no-cycle`.
      'import-x/extensions': ['.ts'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
  },
);
