import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** How many CPUs a list such as `0-3,6` names. */
function countOf(list: string): number {
  return list
    .split(',')
    .map((range) => range.split('-').map(Number))
    .reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);
}

/** Where the arm says how many CPUs the client has, it must have had as many. */
export function cpuFindings({ clientCpus }: Pick<RawTrial, 'clientCpus'>): readonly Finding[] {
  if (clientCpus === undefined) return [];
  const { count, had } = clientCpus;
  if (had !== null && (count === null || countOf(had) === count)) return [];
  const found = had === null ? 'CPUs that nothing tells' : `the CPUs ${had}`;
  return [invalid('cpus-differ', `the arm has cpus=${count ?? 'all'}, and the client had ${found}`)];
}
