import { reasonOf, writtenReason, type Reason } from '../../core/model/reasons.ts';
import type { Comparison, Verdict } from '../../core/model/summary.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { minimumBlocks, smallestAdjustedPValue } from '../statistics/attainable-p.ts';
import { comparisonKey } from './comparison-key.ts';
import type { ComparisonRules } from './comparison-rules.ts';
import type { UnadjustedComparison } from './draft.ts';
import { intervalsOf } from './effect.ts';
import type { Judgement } from './judge-family.ts';
import { judgeFamily } from './judge-family.ts';
import { planAhead } from './plan-ahead.ts';

/** Level of the test of one effect on all hosts. */
const disagreementAlpha = 0.05;

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

/** Beyond so many comparisons of a family noise is taken for normal, to be quick. */
const maxExact = 20;

/** Adjusts p within each family and gives every comparison its verdict; the order stays. */
export function decideFamilies(
  drafts: readonly UnadjustedComparison[],
  rules: ComparisonRules,
): Comparison[] {
  const families = new Map<string, { family: Family; members: UnadjustedComparison[] }>();
  for (const draft of drafts) {
    const family = familyOf(draft.fields.workloadKind, draft.fields.primary, rules.exploratory);
    const entry = families.get(family.name) ?? { family, members: [] };
    entry.members.push(draft);
    families.set(family.name, entry);
  }
  const decided = new Map<UnadjustedComparison, Comparison>();
  for (const { family, members } of families.values()) {
    const judgements = judgeFamily(
      members.map(({ effect, fields, input, worst }) => ({
        effect,
        blocks: fields.blocks,
        higherIsBetter: fields.higherIsBetter,
        veto: input.veto,
        demand: input.demand,
        worst,
        earlier: rules.earlier.get(comparisonKey(fields)),
      })),
      family.exploratory,
      rules,
    );
    members.forEach((draft, index) => {
      decided.set(
        draft,
        finish({
          draft,
          family,
          familySize: members.length,
          judgement: judgements[index] as Judgement,
          comparisonRules: rules,
        }),
      );
    });
  }
  return drafts.flatMap((draft) => decided.get(draft) ?? []);
}

interface FinishOptions {
  readonly draft: UnadjustedComparison;
  readonly family: Family;
  readonly familySize: number;
  readonly judgement: Judgement;
  readonly comparisonRules: ComparisonRules;
}

function finish({
  draft,
  family,
  familySize,
  judgement,
  comparisonRules: { alpha, brief, primariesAhead },
}: FinishOptions): Comparison {
  const { effect, fields, input } = draft;
  const { worstRank, intervalLevel } = judgement;
  const ofSites = withDisagreement(draft, judgement.verdict);
  const split = ofSites !== 'mixed' && hostsDisagree(draft);
  const verdict = split ? 'inconclusive' : ofSites;
  const reason = split ? reasonOf('hosts-disagree') : judgement.reason;
  const comparisons = family.exploratory ? 1 : familySize;
  const undecided = judgement.verdict === 'inconclusive' && input.veto === null;
  const ahead =
    brief || (primariesAhead && !fields.primary)
      ? {}
      : planAhead(effect, {
          alpha: alpha / comparisons,
          undecided:
            undecided &&
            !split &&
            verdict !== 'mixed' &&
            reason?.code !== 'unequal-losses' &&
            reason !== input.demand?.reason,
          exactShape: fields.primary && familySize <= maxExact,
        });
  const needed =
    brief || reason === undefined || reason !== input.demand?.reason
      ? undefined
      : input.demand.blocksNeeded?.(alpha / comparisons);
  return {
    ...fields,
    family: family.name,
    exploratory: family.exploratory,
    ...intervalsOf(effect, intervalLevel),
    ...(Math.abs(intervalLevel - 0.95) < 1e-9 ? {} : { intervalLevel }),
    adjustedPValue: judgement.adjustedPBeyondMargin,
    adjustedPEquivalent: judgement.adjustedPEquivalent,
    verdict,
    ...(verdict === 'mixed' ? {} : writtenReason(reason)),
    ...ahead,
    ...(needed === undefined
      ? {}
      : { blocksNeeded: needed === null ? null : ([needed, needed] satisfies [number, number]) }),
    ...(worstRank === undefined ? {} : { worstRank }),
    warnings: [...fields.warnings, ...hopelessWarning(draft, reason, comparisons, alpha)],
  };
}

/**
 * A pool is `mixed`, whatever its mean says, when what is decided, mean and sites, lies on both sides of the margin, and when the mean is
 * equivalent although a site is decided. That a site differs is shown by its own verdict: an F test of all would drown it in the
 * noise of others.
 */
function withDisagreement({ fields, effect, input }: UnadjustedComparison, verdict: Verdict): Verdict {
  const { heterogeneity, blocks } = fields;
  if (heterogeneity === undefined || input.veto !== null || blocks < effect.test.minValues) return verdict;
  const decides = (side: 'better' | 'worse'): boolean =>
    heterogeneity.sites.some(({ decided }) => decided === side);
  const has = (side: 'better' | 'worse'): boolean => verdict === side || decides(side);
  const bothSides = has('better') && has('worse');
  return bothSides || (verdict === 'equivalent' && (decides('better') || decides('worse')))
    ? 'mixed'
    : verdict;
}

/** Whether the mean of a pool is decided while the blocks of a site point the other way: more of them may make `mixed` of it. */
export function hasOpenDissent({
  verdict,
  heterogeneity,
}: Pick<Comparison, 'verdict' | 'heterogeneity'>): boolean {
  if (heterogeneity === undefined || (verdict !== 'better' && verdict !== 'worse')) return false;
  const other = verdict === 'better' ? 'worse' : 'better';
  return heterogeneity.sites.some(({ decided, leans }) => decided === null && leans === other);
}

/** Whether the hosts' effects differ beyond chance, and not all of them lie above the margins, within them, or below. */
function hostsDisagree({ hostAgreement, effect: { scaleMargin }, input }: UnadjustedComparison): boolean {
  if (hostAgreement === null || input.veto !== null) return false;
  const { pValue, effects } = hostAgreement;
  const places = effects.map(({ effect }) => (Math.abs(effect) <= scaleMargin ? 0 : Math.sign(effect)));
  return pValue !== null && pValue < disagreementAlpha && new Set(places).size > 1;
}

function hopelessWarning(
  { effect, fields }: UnadjustedComparison,
  reason: Reason | undefined,
  comparisons: number,
  alpha: number,
): string[] {
  const { blocks } = fields;
  const hopeless = effect.test.name === 'signed-rank' && smallestAdjustedPValue(comparisons, blocks) >= alpha;
  if (reason?.code !== 'not-significant' || !hopeless) return [];
  return [
    `${blocks} blocks can never be significant in a family of ${comparisons}. At least ${minimumBlocks(comparisons, alpha)} are needed`,
  ];
}
