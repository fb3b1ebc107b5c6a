import { availableParallelism } from 'node:os';
import { pinningContext } from '../../../harness/testbed/pinning.ts';
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

/** How many CPUs a client may have, and whether they can be set here. */
export const clientCpuCounts = armCheck(
  'client-cpu-counts',
  ['cpuCount'],
  ({ arm, factors }, { cpuCount }) => {
    const { count } = valuesOf(factors).cpus ?? {};
    if (count === undefined) return [];
    const { hasTaskset } = pinningContext(cpuCount);
    if (count !== null && count > cpuCount)
      return [
        {
          code: 'usage',
          reason: `arm "${arm}": cpus=${count} is more than the client’s machine has`,
          context: { expected: `at most ${cpuCount}, or all`, got: String(count) },
        },
      ];
    if (hasTaskset) return [];
    return [
      {
        code: 'unsupported',
        reason: `arm "${arm}": there is no taskset, which keeps a client to its CPUs`,
        next: 'Install util-linux.',
      },
    ];
  },
);

/** Whether the shares of a CPU that arms set can be had. */
export const cpuShares = check('cpu-shares', ['cpuShares'], (plan, { cpuShares: lacking }) => {
  if (lacking === null) return [];
  const trialIds = plan.trials
    .filter(({ factors }) => factors.cpu !== undefined)
    .map(({ trialId }) => trialId);
  return [{ ...blockerOf(lacking), trialIds }];
});
