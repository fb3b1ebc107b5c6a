import type { ESLint } from 'eslint';
import { missingValue } from './missing-value.ts';
import { manyExitCodes, shortPattern, silentEnd } from './weak-assertions.ts';

/** Rules for tests: what they find passes whatever the code does. */
export const assertionRules: ESLint.Plugin = {
  rules: {
    'many-exit-codes': manyExitCodes,
    'missing-value': missingValue,
    'short-pattern': shortPattern,
    'silent-end': silentEnd,
  },
};
