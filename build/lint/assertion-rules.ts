import type { ESLint } from 'eslint';
import { missingValue } from './missing-value.ts';
import { shortLimit } from './short-limit.ts';
import { manyExitCodes, shortPattern, silentEnd } from './weak-assertions.ts';

/** Rules for tests: what they find passes whatever the code does, or fails because a machine is busy. */
export const assertionRules: ESLint.Plugin = {
  rules: {
    'many-exit-codes': manyExitCodes,
    'missing-value': missingValue,
    'short-limit': shortLimit,
    'short-pattern': shortPattern,
    'silent-end': silentEnd,
  },
};
