import type { Gate } from '../../model/gate.ts';
import type { Summary } from '../../model/summary.ts';

/** The summary of a run that was made as a gate: it begins with what the gate says. */
export function withGateHeadline(
  summary: Summary,
  gate: Pick<Gate, 'headline' | 'attribution' | 'outcome'>,
): Summary {
  return {
    ...summary,
    gateOutcome: gate.outcome,
    headline: [...gate.headline, ...gate.attribution.map(({ sentence }) => sentence)],
  };
}
