import type { Gate } from '../../core/model/gate.ts';
import type { Summary } from '../../core/model/summary.ts';

/** The summary of a run that was made as a gate: it begins with what the gate says. */
export function withGateHeadline(
  summary: Summary,
  {
    attribution,
    firstScreen,
    headline,
    outcome,
  }: Pick<Gate, 'attribution' | 'firstScreen' | 'headline' | 'outcome'>,
): Summary {
  return {
    ...summary,
    gateOutcome: outcome,
    firstScreen,
    // The first sentence is the headline of the first screen.
    headline: [...headline.slice(1), ...attribution.map(({ sentence }) => sentence)],
  };
}
