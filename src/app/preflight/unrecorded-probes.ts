import { probes as allProbes } from '../../../harness/probes/registry.ts';
import type { Plan } from '../../model/plan.ts';
import { check } from './check.ts';

/** A probe that disturbs records in evidence blocks alone; in a plan without one it would be asked for in vain. */
export const unrecordedProbes = check('unrecorded-probes', [], ({ probes, trials }: Plan) => {
  if (trials.some(({ watch }) => watch === 'evidence')) return [];
  const unrecorded = allProbes
    .filter(({ id, recorded, bare }) => recorded === 'asked' && !bare && probes.includes(id))
    .map(({ id }) => id);
  if (unrecorded.length === 0) return [];
  return [
    {
      code: 'usage',
      reason: `nothing is recorded by ${unrecorded.join(', ')}: this plan has no recorded block`,
      next: 'Say --evidence 2 for two of them; clients without a page have none.',
      trialIds: [],
    },
  ];
});
