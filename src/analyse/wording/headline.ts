import { metricDefinition } from '../../core/metrics/registry.ts';
import { byArm } from '../../core/model/factor.ts';
import { namesOf } from '../../core/model/names.ts';
import type { Names } from '../../core/model/names.ts';
import { armsAsRun } from '../../core/factors/arms-as-run.ts';
import { type Plan } from '../../core/model/plan.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { pooledWorkload } from '../comparison/pooled-drafts.ts';
import { armName, comparedNames } from '../../core/factors/arm-name.ts';
import { attributionSentence } from './attribution-sentence.ts';
import { comparisonSentence } from './comparison-sentence.ts';
import { counted, kindNouns } from '../figures/figures.ts';

/** More primary comparisons than this are counted, and only the clearest ones told in full. */
const maxSentences = 4;

/** How far a run came. */
export interface RunProgress {
  /** Planned trials of which the journal says nothing: the run was interrupted or goes on. */
  readonly missing: number;
  /** Timed blocks that ran. */
  readonly blocksDone: number;
  /** Whether its time was used up. */
  readonly atLimit: boolean;
  /** Blocks after which all was decided, so that it ended; null where that is not why. */
  readonly decided: number | null;
}

export interface HeadlineFacts extends RunProgress {
  /** The most frequent reason why trials did not end well. */
  readonly commonReason: string | null;
  /** Of versions by protocols; empty for other arms. */
  readonly differenceInDifferences?: Summary['differenceInDifferences'];
  /** Whether anything is set on a network; null where that is not known. It is said even where the run has only one. */
  readonly isShaped?: (network: string) => boolean | null;
  readonly names?: Names;
  /** What each audience gets, in a sentence: stands for the single comparisons where they are many. */
  readonly overview?: readonly string[];
}

/** What the run says, in words: from verdicts, and no more than these. */
export function headline(
  plan: Plan,
  comparisons: readonly Comparison[],
  trials: Summary['trials'],
  facts: HeadlineFacts,
): string[] {
  const ran = trials.ok + trials.invalid + trials.failed + trials.unsupported;
  if (ran === 0) return ['No trial has been run: there is nothing to compare.'];
  const lead = caveats(plan, trials, facts);
  if (trials.ok === 0) {
    const why = facts.commonReason === null ? '' : ` Most frequent reason: ${facts.commonReason}.`;
    return [...lead, `None of the ${counted(ran, 'trial')} run is valid, so nothing can be said.${why}`];
  }
  const primaries = comparisons.filter((comparison) => comparison.primary && isPrimaryPair(plan, comparison));
  if (plan.arms.length < 2) {
    return [...lead, `One arm only (${plan.arms.map(armName).join('')}): measured, not compared.`];
  }
  return [
    ...lead,
    ...(primaries.length > maxSentences ? (facts.overview ?? []) : []),
    ...clearest(primaries).map((comparison) => sentence(plan, comparison, facts)),
    ...attributions(plan, comparisons, facts),
  ];
}

/** Whether a change between versions is the protocol's or the browser's. */
function attributions(plan: Plan, comparisons: readonly Comparison[], facts: HeadlineFacts): string[] {
  const primaries = (facts.differenceInDifferences ?? []).filter(({ primary }) => primary === true);
  return primaries.slice(0, maxSentences).map((double) => {
    const like = comparisons.find(
      ({ workload, metric }) => workload === double.workload && metric === double.metric,
    );
    const place = like === undefined ? '' : conditionWords(plan, like, facts);
    return attributionSentence(double, comparisons, { place, arms: armsAsRun(plan) });
  });
}

function isPrimaryPair(plan: Plan, comparison: Comparison): boolean {
  return armPairs(plan).some(
    (pair) =>
      pair.primary &&
      pair.baseline.label === comparison.baseline.arm &&
      pair.candidate.label === comparison.candidate.arm,
  );
}

/** The sentences of a headline that say how far it can be trusted; they stand first in it. */
export function caveats(plan: Plan, trials: Summary['trials'], progress: RunProgress): string[] {
  const { missing } = progress;
  if (trials.ok + trials.invalid + trials.failed + trials.unsupported === 0) return [];
  const lead: string[] = [];
  const have = (count: number): string => (count === 1 ? 'has' : 'have');
  if (missing > 0) {
    lead.push(
      `Preliminary: ${missing} of ${counted(plan.trials.length, 'planned trial')} ${have(missing)} not run yet.`,
    );
  }
  const leftOut = trials.notRun - missing;
  if (leftOut > 0 && progress.decided === null) {
    lead.push(
      `${progress.atLimit ? 'Stopped at the time limit' : 'Ended early'}, with ${progress.blocksDone} of ${counted(plan.repetitions, 'block')} done.`,
    );
  }
  if (armPairs(plan).some((pair) => pair.identical)) {
    lead.push('Both arms ask for the same thing (A/A): every difference between them is noise.');
  }
  const faulty = plan.arms.filter(({ factors }) => factors.fault !== undefined);
  if (faulty.length > 0) {
    const told = faulty.map(({ label, factors }) => `${factors.fault} into ${label}`).join(' and ');
    lead.push(`A fault was injected on purpose (${told}): this run tests the gate, not the browser.`);
  }
  if (plan.exploratory) lead.push('Exploratory plan: it may point at effects, it cannot establish them.');
  return lead;
}

/** All when they are few; else the surest: worse and better ones first, the smallest p first. */
function clearest(primaries: readonly Comparison[]): readonly Comparison[] {
  if (primaries.length <= maxSentences) return primaries;
  const rank = { worse: 0, better: 0, mixed: 0, equivalent: 1, inconclusive: 2 };
  return primaries
    .toSorted(
      (a, b) => rank[a.verdict] - rank[b.verdict] || (a.adjustedPValue ?? 1) - (b.adjustedPValue ?? 1),
    )
    .slice(0, maxSentences);
}

function sentence(plan: Plan, comparison: Comparison, facts: HeadlineFacts): string {
  const { shared, ...pair } = comparedNames(armsAsRun(plan), comparison);
  const titles = namesIn(plan, facts);
  const names = {
    ...pair,
    place: [conditionWords(plan, comparison, facts), shared].filter((part) => part !== '').join(', '),
    title: metricDefinition(comparison.metric)?.title ?? comparison.metric,
    workload: (id: string) => titles.workload(id, comparison.workloadKind),
  };
  return comparisonSentence(comparison, names);
}

function namesIn({ workloads }: Plan, { names }: HeadlineFacts): Names {
  return names ?? namesOf({ workloads, environment: null });
}

/** The workload; of client, network and server what the plan has several of; and whether there was a network at all. */
function conditionWords(plan: Plan, comparison: Comparison, facts: HeadlineFacts): string {
  const names = namesIn(plan, facts);
  const { workload, workloadKind, client, network, server } = comparison;
  const several = (key: 'client' | 'network' | 'server'): boolean =>
    new Set(plan.conditions.map((condition) => condition[key])).size > 1;
  const size = plan.workloads.filter(({ kind }) => kind === workloadKind).length;
  const shaped = facts.isShaped?.(network) ?? null;
  const networkWords =
    shaped === false
      ? 'without any network delay or loss'
      : network !== byArm && (several('network') || shaped === true)
        ? names.shortNetwork(network)
        : '';
  return [
    workload === pooledWorkload
      ? `${counted(size, kindNouns[workloadKind])} pooled`
      : names.workload(workload, workloadKind),
    several('client') && client !== byArm ? names.client(client) : '',
    networkWords,
    several('server') && server !== byArm ? names.server(server) : '',
  ]
    .filter(Boolean)
    .join(', ');
}
