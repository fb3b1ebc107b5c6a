import type { AbrRule } from './abr-rule.ts';
import { bufferBased } from './buffer-based.ts';
import { bola, dynamic, learnToAdapt, lowOnLatencyPlus, throughput } from './dash-rules.ts';
import { fixedTrack } from './fixed-track.ts';
import { rateBased } from './rate-based.ts';

const fixedRanks = [1, 2, 3, 4, 5, 6, 7];

export const abrRules: readonly AbrRule[] = [
  bufferBased,
  rateBased,
  bola,
  throughput,
  dynamic,
  learnToAdapt,
  lowOnLatencyPlus,
  ...fixedRanks.map(fixedTrack),
];

/** @throws RangeError for a name that is no rule. */
export function abrRuleNamed(id: string): AbrRule {
  const found = abrRules.find((rule) => rule.id === id);
  if (found === undefined) throw new RangeError(`there is no ABR rule called "${id}"`);
  return found;
}
