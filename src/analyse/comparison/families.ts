import type { Comparison } from '../../model/summary.ts';
import { adjustPValues } from '../statistics/adjust-p-values.ts';
import { blocksNeeded, minimumBlocks } from '../statistics/blocks-needed.ts';
import { smallestAdjustedPValue } from '../statistics/attainable-p.ts';
import type { ComparisonDraft } from './draft.ts';
import { decideVerdict, inconclusiveReasons } from './verdict.ts';

export interface Family {
  readonly name: 'primary' | 'secondary' | 'exploratory';
  readonly exploratory: boolean;
}

/** Primary comparisons form one family (Holm); the others one more, and everything in an exploratory plan (Benjamini–Hochberg). */
export function familyOf(primary: boolean, exploratoryPlan: boolean): Family {
  if (exploratoryPlan) return { name: 'exploratory', exploratory: true };
  return primary ? { name: 'primary', exploratory: false } : { name: 'secondary', exploratory: true };
}

/** Adjusts p within each family and gives every comparison its verdict; the order stays. */
export function decideFamilies(
  drafts: readonly ComparisonDraft[],
  exploratoryPlan: boolean,
  alpha: number,
): Comparison[] {
  const decided = new Map<ComparisonDraft, Comparison>();
  for (const primary of [true, false]) {
    const inFamily = (draft: ComparisonDraft): boolean => exploratoryPlan || draft.fields.primary === primary;
    if (exploratoryPlan && !primary) break;
    const members = drafts.filter(inFamily);
    const family = familyOf(primary, exploratoryPlan);
    const method = family.exploratory ? 'bh' : 'holm';
    const adjusted = adjustPValues(
      members.map((draft) => draft.fields.pValue),
      method,
    );
    members.forEach((draft, index) => {
      decided.set(draft, decide(draft, family, members.length, adjusted[index] ?? null, alpha));
    });
  }
  return drafts.flatMap((draft) => decided.get(draft) ?? []);
}

function decide(
  draft: ComparisonDraft,
  family: Family,
  familySize: number,
  adjustedPValue: number | null,
  alpha: number,
): Comparison {
  const { effect, fields, input } = draft;
  const outcome = decideVerdict({
    blocks: fields.blocks,
    interval: effect.interval,
    equivalenceInterval: effect.equivalenceInterval,
    scaleMargin: effect.scaleMargin,
    adjustedPValue,
    alpha,
    higherIsBetter: fields.higherIsBetter,
    veto: input.veto,
  });
  const correction = family.exploratory ? 1 : familySize;
  const needed =
    outcome.verdict === 'inconclusive' && input.veto === null
      ? estimateBlocks(draft, correction, alpha)
      : undefined;
  const warnings = [...fields.warnings];
  if (
    outcome.reason === inconclusiveReasons.notSignificant &&
    smallestAdjustedPValue(correction, fields.blocks) >= alpha
  ) {
    warnings.push(
      `${fields.blocks} blocks can never be significant in a family of ${correction}; at least ${minimumBlocks(correction, alpha)} are needed`,
    );
  }
  return {
    ...fields,
    family: family.name,
    exploratory: family.exploratory,
    adjustedPValue,
    verdict: outcome.verdict,
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    ...(needed === undefined ? {} : { blocksNeeded: needed }),
    warnings,
  };
}

function estimateBlocks({ effect }: ComparisonDraft, comparisons: number, alpha: number): number | undefined {
  if (effect.estimate === null) return undefined;
  return blocksNeeded({
    effects: effect.effects,
    estimate: effect.estimate,
    scaleMargin: effect.scaleMargin,
    alpha,
    comparisons,
  });
}
