import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * Imports point down: http, mcp, agents, queue → tools → auth, summarize, search → content, web, model → core. A room may import only the rooms in
 * its list. `summarize` and `search` do not know each other, and nothing below `tools.module` knows the module's options. `redis`, `postgres` and
 * `queue` are entries of their own: nobody imports them, so that a host that does not use them loads nothing of them.
 */
const ROOMS = {
  http: ['tools', 'auth', 'core'],
  tools: ['auth', 'summarize', 'search', 'content', 'model', 'web', 'core'],
  auth: ['core'],
  summarize: ['content', 'model', 'core'],
  search: ['web', 'model', 'core'],
  content: ['web', 'core'],
  model: ['core'],
  web: ['core'],
  agents: ['tools', 'auth', 'model', 'core'],
  mcp: ['agents', 'http', 'tools', 'auth', 'core'],
  redis: ['core'],
  postgres: ['search', 'model', 'core'],
  queue: ['http', 'tools', 'auth', 'summarize', 'core', 'tools.module.ts', 'tools.module-definition.ts'],
  core: [],
};

const zones = Object.entries(ROOMS).map(([room, allowed]) => ({
  target: `./lib/${room}`,
  from: './lib',
  except: [room, ...allowed].map((name) => `./${name}`),
  message: `lib/${room} may import only from: ${[room, ...allowed].join(', ')}`,
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
    files: ['lib/**/*.ts'],
    plugins: { 'import-x': importX },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-cycle': 'error',
      'no-console': 'error',
    },
    settings: { 'import-x/resolver': { typescript: true, node: true } },
  },
);
