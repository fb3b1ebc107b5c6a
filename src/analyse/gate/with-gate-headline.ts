import type { Gate } from '../../model/gate.ts';
import type { Plan } from '../../model/plan.ts';
import type { Summary } from '../../model/summary.ts';
import { firstScreenOf } from '../answers/first-screen.ts';

/** The summary of a run that was made as a gate: it begins with what the gate says. */
export function withGateHeadline(
  summary: Summary,
  gate: Pick<Gate, 'headline' | 'attribution' | 'outcome' | 'trialsFailed'>,
  plan: Plan,
): Summary {
  const { comparisons, environment, trials, watching, warnings, banners = [] } = summary;
  return {
    ...summary,
    gateOutcome: gate.outcome,
    firstScreen: firstScreenOf({
      plan,
      comparisons,
      environment,
      trials,
      blocksDone: watching.bareBlocks,
      missing: 0,
      armsLost: [],
      warnings,
      banners,
      gate,
    }),
    headline: [...gate.headline, ...gate.attribution.map(({ sentence }) => sentence)],
  };
}
