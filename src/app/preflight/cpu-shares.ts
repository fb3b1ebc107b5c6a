import { availableParallelism } from 'node:os';
import { valuesOf } from '../../core/factors/values.ts';
import { armCheck } from './arm-check.ts';
import { check, blockerOf } from './check.ts';

/** More than the machine has would be no limit. */
export const cpuShareSizes = armCheck('cpu-share-sizes', [], ({ arm, factors }) => {
  const maxPercent = 100 * availableParallelism();
  const { percent = 0 } = valuesOf(factors).cpu ?? {};
  if (percent <= maxPercent) return [];
  return [
    {
      code: 'usage',
      reason: `arm "${arm}": cpu=${percent}% is more than this machine has`,
      context: { expected: `at most ${maxPercent}% (100% is one CPU)`, got: `${percent}%` },
    },
  ];
});

/** Whether the shares of a CPU that arms set can be had. */
export const cpuShares = check('cpu-shares', ['cpuShares'], (plan, { cpuShares: lacking }) => {
  if (lacking === null) return [];
  const trialIds = plan.trials
    .filter(({ factors }) => factors.cpu !== undefined)
    .map(({ trialId }) => trialId);
  return [{ ...blockerOf(lacking), trialIds }];
});
