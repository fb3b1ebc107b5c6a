import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import { reasonOf, writtenReason, type Reason } from '../../core/model/reasons.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Comparison, Verdict } from '../../core/model/summary.ts';
import { comparisonKey } from './comparison-key.ts';
import type { RunComparisons } from './compare-run.ts';
import { compareRun } from './compare-run.ts';
import { comparisonRules, defaultAlpha, type InterimRules } from './comparison-rules.ts';
import type { ErrorLevels } from './error-levels.ts';
import { hasOpenDissent } from './families.ts';
import { judgedInsteadOfLoad, type JudgedInstead } from './late-paint.ts';
import { buildTrialTable } from './trial-table.ts';
import { levelsAtInterim } from './interim-levels.ts';
import { completeBlocks, interimSchedule } from './interim-schedule.ts';

/** One interim analysis that was taken. */
export interface InterimAnalysis {
  readonly blocks: number;
  /** Two-sided level at which a single comparison was tested. */
  readonly level: number;
  /** Primary comparisons that were still open after it. */
  readonly open: number;
}

export interface InterimResults {
  readonly interims: readonly InterimAnalysis[];
  /** The primary comparisons as the interim analysis saw them at which they were decided, else as the last one did; by key. */
  readonly primaries: ReadonlyMap<string, Comparison>;
  /** Everything as the last interim analysis saw it; null when none was due. */
  readonly last: RunComparisons | null;
  /** Blocks after which the run had ended for want of time before it was resumed; ascending. */
  readonly earlierEnds: readonly number[];
}

/** The plan up to its so many-th timed block, with the recorded blocks that run before it has ended. */
function firstBlocks(plan: Plan, blocks: number): Plan {
  const isWithin = ({ blockIndex }: PlannedTrial): boolean => blockIndex < blocks;
  const upTo = plan.trials.slice(0, 1 + plan.trials.findLastIndex(isWithin));
  const isInstrumentedBlock = ({ blockIndex }: PlannedTrial): boolean => blockIndex >= plan.repetitions;
  const trials = upTo.filter((trial) => isWithin(trial) || isInstrumentedBlock(trial));
  return { ...plan, repetitions: Math.max(1, blocks), trials };
}

/** An interim analysis with what it needs to be taken again, word for word. */
interface Take {
  readonly blocks: number;
  readonly levels: ErrorLevels;
  readonly earlier: ReadonlyMap<string, Verdict>;
  /** The same for all interim analyses, so that each judges by the same metric. */
  readonly instead: JudgedInstead;
}

/**
 * Takes every interim analysis of a sequential run that is due, each at the level that the spending leaves it. A verdict stands from
 * the look at which it fell, and what it frees of the family's error goes to the comparisons that are open. Pure.
 *
 * @param ended whether no more blocks come: then all error that is left is spent at the end
 * @param brief whether only the verdicts are wanted
 */
export function analyseInterims(
  plan: Plan,
  records: readonly TrialRecord[],
  ended: boolean,
  brief = false,
): InterimResults {
  const planned = plan.interims ?? [plan.repetitions];
  const blocks = completeBlocks(plan, records);
  const ends = (plan.ends ?? []).filter((end) => end < blocks);
  const primaries = new Map<string, { comparison: Comparison; take: Take }>();
  const instead = judgedInsteadOfLoad(buildTrialTable(plan, records));
  const interims: InterimAnalysis[] = [];
  const takes: Take[] = [];
  const take = (at: number, levels: ErrorLevels): void => {
    const now = { blocks: at, levels, earlier: verdictsOf(primaries), instead };
    for (const comparison of compareAt(plan, records, now, true).comparisons) {
      const key = comparisonKey(comparison);
      if (isOpen(primaries.get(key))) primaries.set(key, { comparison, take: now });
    }
    const open = [...primaries.values()].filter(isOpen).length;
    takes.push(now);
    interims.push({ blocks: at, level: levels.beyond(defaultAlpha, 't'), open });
  };
  const schedule = interimSchedule(planned, ends, null);
  for (const [index, interim] of schedule.entries()) {
    if (interim.blocks <= blocks) take(interim.blocks, levelsAtInterim(schedule, index));
  }
  const undecided = interims.at(-1)?.open !== 0;
  if (ended && undecided && blocks > 0 && blocks < (planned.at(-1) ?? 0)) {
    const final = interimSchedule(planned, ends, blocks);
    if (interims.at(-1)?.blocks === blocks) interims.pop();
    take(
      blocks,
      levelsAtInterim(
        final,
        final.findIndex((interim) => interim.blocks === blocks),
      ),
    );
  }
  return brief
    ? {
        interims,
        primaries: new Map([...primaries].map(([key, { comparison }]) => [key, comparison])),
        last: null,
        earlierEnds: ends,
      }
    : { interims, ...inFull(plan, records, primaries, takes.at(-1)), earlierEnds: ends };
}

/** The interim analyses that decided anything, and the last one, once more with all that a summary tells of them. */
function inFull(
  plan: Plan,
  records: readonly TrialRecord[],
  primaries: ReadonlyMap<string, { take: Take }>,
  lastTake: Take | undefined,
): Pick<InterimResults, 'primaries' | 'last'> {
  const full = new Map<Take, RunComparisons>();
  const at = (take: Take): RunComparisons => {
    const known = full.get(take) ?? compareAt(plan, records, take, false);
    full.set(take, known);
    return known;
  };
  const found = [...primaries].flatMap(([key, { take }]) => {
    const comparison = at(take).comparisons.find((comparison) => comparisonKey(comparison) === key);
    return comparison === undefined ? [] : [[key, comparison] as const];
  });
  return { primaries: new Map(found), last: lastTake === undefined ? null : at(lastTake) };
}

function compareAt(
  plan: Plan,
  records: readonly TrialRecord[],
  { blocks, levels, earlier, instead }: Take,
  brief: boolean,
): RunComparisons {
  const part = firstBlocks(plan, blocks);
  const ids = new Set(part.trials.map(({ trialId }) => trialId));
  const seen = records.filter(({ trialId }) => ids.has(trialId));
  return compareRun(
    part,
    buildTrialTable(part, seen),
    comparisonRules(plan, { levels, earlier, brief, primariesAhead: true, instead }),
  );
}

/** Not decided yet, or the mean of a pool of which a site may still prove to go the other way. */
function isOpen(found: { readonly comparison: Comparison } | undefined): boolean {
  if (found === undefined) return true;
  return found.comparison.verdict === 'inconclusive' || hasOpenDissent(found.comparison);
}

function verdictsOf(primaries: ReadonlyMap<string, { comparison: Comparison }>): Map<string, Verdict> {
  return new Map(
    [...primaries].flatMap(([key, found]) =>
      isOpen(found) ? [] : [[key, found.comparison.verdict] as const],
    ),
  );
}

/** Why a sequential run may end after `blocks` blocks, or null: every primary comparison is decided, and no site's dissent is open. */
export function reasonToStop(plan: Plan, records: readonly TrialRecord[], blocks: number): Reason | null {
  if (plan.interims?.includes(blocks) !== true) return null;
  const { interims, primaries } = analyseInterims(plan, records, false, true);
  if (interims.at(-1)?.open !== 0 || primaries.size === 0) return null;
  const worse = [...primaries.values()].some(({ verdict }) => verdict === 'worse');
  return reasonOf('decided', `decided after ${blocks} blocks${worse ? ': worse' : ''}`);
}

const nothingSpent: ErrorLevels = { beyond: () => 0, equivalent: () => 0 };

/**
 * The comparisons of a sequential run: primary ones as its interim analyses judged them, with the interim analyses' intervals and all values.
 * The others, which look for effects, are judged at the level of the last analysis: the run ended because a primary one was decided,
 * and they go up and down with it.
 */
export function sequentialComparisons(
  plan: Plan,
  records: readonly TrialRecord[],
  results: InterimResults & Pick<InterimRules, 'calibratedAsymmetry'>,
): RunComparisons {
  const { calibratedAsymmetry } = results;
  const table = buildTrialTable(plan, records);
  const rules = comparisonRules(plan, {
    levels: nothingSpent,
    earlier: new Map(),
    secondaryAlpha: Math.min(defaultAlpha, results.interims.at(-1)?.level ?? defaultAlpha),
    instead: judgedInsteadOfLoad(table),
    ...(calibratedAsymmetry === undefined ? {} : { calibratedAsymmetry }),
  });
  const all = compareRun(plan, table, rules);
  return {
    comparisons: all.comparisons.map((comparison) => {
      if (!comparison.primary) return comparison;
      const judged = results.primaries.get(comparisonKey(comparison));
      if (judged !== undefined) return { ...judged, values: comparison.values };
      return { ...comparison, ...writtenReason(reasonOf('no-interim-yet')) };
    }),
    differenceInDifferences: results.last?.differenceInDifferences ?? all.differenceInDifferences,
  };
}
