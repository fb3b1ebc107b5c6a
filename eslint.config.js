import tseslint from 'typescript-eslint';
import { assertionRules } from './build/lint/assertion-rules.ts';
import { proseAsData } from './build/lint/prose-as-data.ts';

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'dist-link/', 'results/', '.h2h3/'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './tsconfig.page.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // node:test returns a promise that its own runner awaits.
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-console': 'error',
      'max-params': ['error', 4],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['warn', { max: 80, skipComments: true, skipBlankLines: true }],
      eqeqeq: 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(SpreadElement > ObjectExpression, SpreadElement > ArrayExpression)',
          message: "Write the literal's own members: spreading it packs several lines into one.",
        },
        {
          selector: 'VariableDeclarator[init.type="ArrayExpression"] > ArrayPattern:not(:has(RestElement))',
          message: 'Declare each name on a line of its own.',
        },
      ],
    },
  },
  {
    files: ['src/**', 'harness/**', 'sites/**', 'video/**', 'reports/**'],
    // The one place that reads documents of before there were codes.
    ignores: ['src/core/model/before-codes.ts'],
    plugins: { reasons: { rules: { 'prose-as-data': proseAsData } } },
    rules: { 'reasons/prose-as-data': 'error' },
  },
  {
    files: ['tests/**'],
    plugins: { assertions: assertionRules },
    rules: {
      'assertions/many-exit-codes': 'error',
      'assertions/missing-value': 'error',
      'assertions/short-pattern': 'error',
      'assertions/silent-end': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
            },
          ],
        },
      ],
      'max-lines-per-function': 'off',
      'max-params': 'off',
    },
  },
  {
    // Of unit tests some give something up on purpose.
    files: ['tests/@(alone|e2e|package|support|wide)/**'],
    rules: { 'assertions/short-limit': 'error' },
  },
  {
    // Still to be given options objects; no file is to be added.
    files: ['harness/network/shaped-network.ts', 'harness/servers/tcp-congestion.ts'],
    rules: { 'max-params': ['error', 7] },
  },
  { files: ['src/cli/**', 'examples/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
