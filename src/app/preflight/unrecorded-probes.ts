import { askedForInstrumentation } from '../../../harness/probes/selection.ts';
import type { Plan } from '../../core/model/plan.ts';
import { check } from './check.ts';

/** A probe that records in recorded blocks alone would be asked for in vain in a plan without one. */
export const unrecordedProbes = check('unrecorded-probes', [], ({ probes, trials }: Plan) => {
  if (trials.some(({ instrumentation }) => instrumentation === 'instrumented')) return [];
  const unrecorded = askedForInstrumentation(probes);
  if (unrecorded.length === 0) return [];
  return [
    {
      code: 'usage',
      reason: `nothing is recorded by ${unrecorded.join(', ')}: this plan has no recorded block`,
      next: 'Say --recorded 2 for two of them; clients without a page have none.',
      trialIds: [],
    },
  ];
});
