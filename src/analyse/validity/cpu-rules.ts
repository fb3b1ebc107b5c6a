import type { RawTrial } from '../../core/model/raw-trial.ts';
import { invalid, type Finding } from './finding.ts';

/** Where the arm says how many CPUs the client has, it must have had those that were chosen for it. */
export function cpuFindings({ clientCpus }: Pick<RawTrial, 'clientCpus'>): readonly Finding[] {
  if (clientCpus === undefined) return [];
  const { asked, had } = clientCpus;
  if (had === asked) return [];
  const found = had === null ? 'which it had is not known' : `it had ${had}`;
  return [invalid('cpus-differ', `the client was to have the CPUs ${asked}, and ${found}`)];
}
