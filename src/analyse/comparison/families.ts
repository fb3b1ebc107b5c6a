import type { Comparison } from '../../model/summary.ts';
import type { WorkloadKind } from '../../model/workload.ts';
import { adjustPValues } from '../statistics/adjust-p-values.ts';
import { blocksNeeded, minimumBlocks } from '../statistics/blocks-needed.ts';
import { smallestAdjustedPValue } from '../statistics/attainable-p.ts';
import type { ComparisonDraft } from './draft.ts';
import { decideVerdict, inconclusiveReasons } from './verdict.ts';

interface Family {
  /** Such as `primary-page`. */
  readonly name: string;
  readonly exploratory: boolean;
}

/**
 * Per kind of workload the primary comparisons form one family (Holm) and all others one more; in an
 * exploratory plan everything of a kind is one family. Other families than primary ones are exploratory
 * (Benjamini–Hochberg).
 */
function familyOf(kind: WorkloadKind, primary: boolean, exploratoryPlan: boolean): Family {
  if (exploratoryPlan) return { name: `exploratory-${kind}`, exploratory: true };
  return primary
    ? { name: `primary-${kind}`, exploratory: false }
    : { name: `secondary-${kind}`, exploratory: true };
}

/** Adjusts p within each family and gives every comparison its verdict; the order stays. */
export function decideFamilies(
  drafts: readonly ComparisonDraft[],
  exploratoryPlan: boolean,
  alpha: number,
): Comparison[] {
  const families = new Map<string, { family: Family; members: ComparisonDraft[] }>();
  for (const draft of drafts) {
    const family = familyOf(draft.fields.workloadKind, draft.fields.primary, exploratoryPlan);
    const entry = families.get(family.name) ?? { family, members: [] };
    entry.members.push(draft);
    families.set(family.name, entry);
  }
  const decided = new Map<ComparisonDraft, Comparison>();
  for (const { family, members } of families.values()) {
    const adjusted = adjustPValues(
      members.map((draft) => draft.fields.pValue),
      family.exploratory ? 'bh' : 'holm',
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
  return {
    ...fields,
    family: family.name,
    exploratory: family.exploratory,
    adjustedPValue,
    verdict: outcome.verdict,
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    ...(needed === undefined ? {} : { blocksNeeded: [needed, needed] as [number, number] }),
    warnings: [...fields.warnings, ...hopelessWarning(outcome.reason, correction, fields.blocks, alpha)],
  };
}

function hopelessWarning(
  reason: string | undefined,
  comparisons: number,
  blocks: number,
  alpha: number,
): string[] {
  const hopeless = smallestAdjustedPValue(comparisons, blocks) >= alpha;
  if (reason !== inconclusiveReasons.notSignificant || !hopeless) return [];
  return [
    `${blocks} blocks can never be significant in a family of ${comparisons}; at least ${minimumBlocks(comparisons, alpha)} are needed`,
  ];
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
