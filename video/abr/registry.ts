import type { AbrRule } from './abr-rule.ts';
import { bufferBased } from './buffer-based.ts';
import { bola, dynamic, learnToAdapt, lowOnLatencyPlus, throughput } from './dash-rules.ts';
import { fixedTrack } from './fixed-track.ts';
import type { PlayerAbrRule } from './abr-rule.ts';
import { rateBased } from './rate-based.ts';

const fixedRanks = [1, 2, 3, 4, 5, 6, 7];

const own: PlayerAbrRule = {
  id: 'own',
  title: "the player's own rule",
  source: 'each player, as it is without settings; dash.js: throughput and BOLA by buffer level',
  kind: 'player',
};

export const abrRules: readonly AbrRule[] = [
  bufferBased,
  rateBased,
  bola,
  throughput,
  dynamic,
  learnToAdapt,
  lowOnLatencyPlus,
  ...fixedRanks.map(fixedTrack),
  own,
];

/** @throws RangeError for a name that is no rule. */
export function abrRuleNamed(id: string): AbrRule {
  const found = abrRules.find((rule) => rule.id === id);
  if (found === undefined) throw new RangeError(`there is no ABR rule called "${id}"`);
  return found;
}
