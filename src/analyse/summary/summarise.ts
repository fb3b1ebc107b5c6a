import type { Answer } from '../../core/model/answer.ts';
import type { Environment } from '../../core/model/environment.ts';
import { namesOf } from '../../core/model/names.ts';
import type { Plan } from '../../core/model/plan.ts';
import { isLeftByBudget } from '../../core/model/record.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { stepWorkload } from '../../core/model/step-workload.ts';
import type { Comparison, Summary } from '../../core/model/summary.ts';
import { answersOf, isShaped, overviewOf } from '../answers/answers.ts';
import { firstScreenOf } from '../answers/first-screen.ts';
import { oneSidedLosses } from '../answers/one-sided.ts';
import { falseAlarmsOf } from './false-alarms.ts';
import { armPairs } from '../comparison/arm-pairs.ts';
import { compareRun, type RunComparisons } from '../comparison/compare-run.ts';
import { hasEnded } from '../comparison/interim-schedule.ts';
import { judgedInsteadOfLoad } from '../comparison/late-paint.ts';
import type { InterimResults } from '../comparison/interim-analyses.ts';
import { sequentialComparisons, analyseInterims } from '../comparison/interim-analyses.ts';
import { comparisonRules, defaultAlpha } from '../comparison/comparison-rules.ts';
import type { TrialTable } from '../comparison/trial-table.ts';
import {
  armsWithoutTrials,
  buildTrialTable,
  missingTrials,
  recordsInOrder,
} from '../comparison/trial-table.ts';
import { calibratedBy } from '../comparison/overhead.ts';
import { corpusParts } from '../distributions/corpus.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { gridCells } from './grid-cells.ts';
import { frameDistributions } from '../distributions/frame-distributions.ts';
import { messageDistributions } from '../distributions/message-distributions.ts';
import { publishedResults } from '../studies/published-results.ts';
import { measuredRun, studyRunOf, type RunOfStudy } from '../studies/study-run.ts';
import { pathCounters } from '../warnings/path-counters.ts';
import { timeOfRun } from '../warnings/run-time.ts';
import { runBanners, runWarnings } from '../warnings/run-warnings.ts';
import { overheadOf } from './instrumentation-overhead.ts';
import { secondVisits } from '../distributions/second-visits.ts';
import { videoSessions } from '../distributions/sessions.ts';
import { firstFlightShares } from '../first-flights/first-flight-share.ts';
import { firstFlights } from '../first-flights/first-flights.ts';
import { unlikeFirstFlights } from '../first-flights/unlike-first-flights.ts';
import { unlikePriorities } from '../first-flights/unlike-priorities.ts';
import { tails } from '../distributions/tails.ts';
import { videoDistributions } from '../distributions/video-distributions.ts';
import { armNameOfLabel } from '../../core/factors/arm-name.ts';
import { caveats, headline, type RunProgress } from '../wording/headline.ts';
import { audienceResult } from '../distributions/audience.ts';
import { linkCourses } from '../distributions/link-courses.ts';

/** Everything that a summary is made of. */
export interface RunToSummarise {
  readonly plan: Plan;
  /** Lines of the journal in any order; the first of a trial counts. */
  readonly records: readonly TrialRecord[];
  readonly environment: Environment | null;
  /** What reading the run directory had to complain about. */
  readonly storeWarnings: readonly string[];
  /** What the interim analyses of a sequential plan said, where they were taken already. */
  readonly interims?: InterimResults | null;
}

/** `summariseRun` of a run whose interim analyses, if it has any, were not taken yet. */
export function summarise(
  plan: Plan,
  records: readonly TrialRecord[],
  environment: Environment | null,
  storeWarnings: readonly string[],
): Summary {
  return summariseRun({ plan, records, environment, storeWarnings });
}

/**
 * What a run says: counts, comparisons with verdicts, words. Pure; needs nothing but what the run directory
 * holds, and takes plans that are unfinished, without any valid trial or with a single arm.
 */
export function summariseRun({
  plan,
  records,
  environment,
  storeWarnings,
  interims: taken,
}: RunToSummarise): Summary {
  const table = buildTrialTable(plan, records);
  const interims =
    plan.interims === undefined ? null : (taken ?? analyseInterims(plan, records, hasEnded(plan, records)));
  const { comparisons, differenceInDifferences } = compared({ plan, records, table, interims, environment });
  const { sessions, warnings: sessionWarnings } = videoSessions(table);
  const missing = missingTrials(table);
  const trials = countTrials(table);
  const troubles = listTroubles(table);
  const counted = pathCounters(table);
  const revisited = secondVisits(plan, table);
  const decided = decidedAfter(interims, trials.notRun - missing);
  const run = describeRun(plan, recordsInOrder(table), { complete: missing === 0, decided });
  const oneSided = oneSidedLosses(counted, armNameOfLabel);
  const servers = ofServers({ plan, table, comparisons, environment, run });
  const banners = runBanners(plan, environment);
  const causes = diagnose(plan, table, 1 - defaultAlpha);
  const told = toldAnswers({ plan, comparisons, environment, run, oneSided, ...servers });
  const overhead = overheadOf(plan, table);
  const audience = audienceResult(plan, table, comparisons);
  const progress = { ...progressOf(missing, overhead, troubles), decided };
  const warned = runWarnings({ plan, table, environment, storeWarnings, comparisons, interims });
  const warnings = [...warned.all, ...sessionWarnings];
  return {
    schemaVersion: 1,
    run,
    environment,
    firstScreen: firstScreenOf({
      plan,
      comparisons,
      environment,
      trials,
      blocksDone: overhead.timedBlocks,
      missing,
      armsLost: armsWithoutTrials(plan, table),
      warnings: warned.deciding,
      banners,
      unlikeFirstFlights: servers.unlikeFirstFlights,
      firstFlightShares: servers.firstFlightShares,
      audience,
    }),
    headline: headline(plan, comparisons, trials, {
      ...progress,
      commonReason: commonestReason(troubles),
      differenceInDifferences: [...differenceInDifferences],
      isShaped: (network) => (environment === null ? null : isShaped(network, environment)),
      names: namesOf({ workloads: plan.workloads, environment }),
      overview: told.overview,
    }),
    caveats: caveats(plan, trials, progress),
    ...(banners.length === 0 ? {} : { banners }),
    ...told,
    ...(oneSided.length === 0 ? {} : { oneSided }),
    ...servers,
    ...(causes.length === 0 ? {} : { diagnosis: causes }),
    workloads: plan.workloads.flatMap(({ id, kind, title }) => [{ id, kind, title }, ...stepsOf(table, id)]),
    trials,
    instrumentationOverhead: overhead,
    comparisons: [...comparisons],
    differenceInDifferences: [...differenceInDifferences],
    ...(audience === undefined ? {} : { audience }),
    ...gridPart(plan, comparisons),
    ...corpusParts(plan, table),
    ...(revisited.length === 0 ? {} : { secondVisits: revisited }),
    ...(counted.length === 0 ? {} : { pathCounters: counted }),
    calibration: calibrationOf(plan, comparisons),
    ...publishedPart({ plan, table, environment, comparisons }, { run, trials }),
    ...distributions(plan, table),
    ...linkCourses(table),
    troubles,
    sessions,
    warnings,
  };
}

/** What single loads, sessions, messages and frames had. */
function distributions(plan: Plan, table: TrialTable): Partial<Summary> {
  const { arms } = plan;
  const slow = tails(plan, table);
  return {
    ...(slow.length === 0 ? {} : { tails: slow }),
    ...videoDistributions(arms, table),
    ...messageDistributions(arms, table),
    ...frameDistributions(arms, table),
  };
}

/** How the servers began, and in what those of two sides are unlike besides what is compared. */
function ofServers({
  plan,
  table,
  comparisons,
  environment,
  run,
}: {
  readonly plan: Plan;
  readonly table: TrialTable;
  readonly comparisons: readonly Comparison[];
  readonly environment: Environment | null;
  readonly run: Summary['run'];
}): Pick<Summary, 'unlikePriorities' | 'firstFlights' | 'unlikeFirstFlights' | 'firstFlightShares'> {
  const priorities = unlikePriorities(plan, comparisons, environment);
  const flights = firstFlights(plan, table, environment);
  const unlike = unlikeFirstFlights(plan, flights, environment, run);
  const names = namesOf({ workloads: plan.workloads, environment });
  const shares = firstFlightShares(plan, table, 1 - defaultAlpha, (id) => names.shortNetwork(id));
  return {
    ...(priorities.length === 0 ? {} : { unlikePriorities: priorities }),
    ...(flights.length === 0 ? {} : { firstFlights: flights }),
    ...(unlike.length === 0 ? {} : { unlikeFirstFlights: unlike }),
    ...(shares.length === 0 ? {} : { firstFlightShares: shares }),
  };
}

/** What studies published of the plan, and what the run found; nothing where the plan names no study. */
function publishedPart(study: RunOfStudy, told: Pick<Summary, 'run' | 'trials'>): Pick<Summary, 'published'> {
  const { published } = study.plan;
  return published === undefined
    ? {}
    : { published: publishedResults(published, measuredRun(studyRunOf(study, told))) };
}

/** The heat maps of a plan's grid; nothing without one. */
function gridPart(plan: Plan, comparisons: readonly Comparison[]): Pick<Summary, 'grid'> {
  const grid = gridCells(plan, comparisons, defaultAlpha);
  return grid === undefined ? {} : { grid };
}

/** The blocks after which a run ended because nothing was left to decide; null where it ended for another reason, or did not. */
function decidedAfter(interims: InterimResults | null, leftOut: number): number | null {
  const last = interims?.interims.at(-1);
  return last?.open === 0 && leftOut > 0 ? last.blocks : null;
}

/** How far the run came. */
function progressOf(
  missing: number,
  { timedBlocks }: Summary['instrumentationOverhead'],
  troubles: Summary['troubles'],
): Omit<RunProgress, 'decided'> {
  const atLimit = troubles.some(isLeftByBudget);
  return { missing, blocksDone: timedBlocks, atLimit };
}

function compared({
  plan,
  records,
  table,
  interims,
  environment,
}: Pick<RunToSummarise, 'plan' | 'records' | 'environment'> & {
  readonly table: TrialTable;
  readonly interims: InterimResults | null;
}): RunComparisons {
  const calibratedAsymmetry = calibratedBy(environment);
  return interims === null
    ? compareRun(
        plan,
        table,
        comparisonRules(plan, { calibratedAsymmetry, instead: judgedInsteadOfLoad(table) }),
      )
    : sequentialComparisons(plan, records, { ...interims, calibratedAsymmetry });
}

/** The steps of a journey, named as workloads of their own. */
function stepsOf(table: TrialTable, workload: string): Summary['workloads'] {
  const steps = table.conditions.flatMap(({ step, condition, kind }) =>
    step === undefined || condition.workload !== stepWorkload(workload, step)
      ? []
      : [{ id: condition.workload, kind, title: `step “${step}”` }],
  );
  return [...new Map(steps.map((step) => [step.id, step])).values()];
}

/** Answers by network, and over all networks together. */
function toldAnswers(facts: Parameters<typeof answersOf>[0]): { answers: Answer[]; overview: string[] } {
  return { answers: answersOf(facts), overview: overviewOf(facts) };
}

/** An A/A run calibrates itself; its interval needs several runs (`calibrate`). */
function calibrationOf(plan: Plan, comparisons: readonly Comparison[]): Summary['calibration'] {
  const pairs = armPairs(plan);
  if (pairs.length === 0 || !pairs.every((pair) => pair.identical)) return null;
  const { falseAlarmInterval, ...rest } = falseAlarmsOf([comparisons]);
  return { ...rest, falseAlarmInterval: falseAlarmInterval === null ? null : [...falseAlarmInterval] };
}

function countTrials(table: TrialTable): Summary['trials'] {
  const counts = { ok: 0, invalid: 0, failed: 0, unsupported: 0, notRun: 0 };
  for (const { record } of table.trials) {
    const status = record?.status ?? 'not-run';
    counts[status === 'not-run' ? 'notRun' : status]++;
  }
  return counts;
}

function listTroubles(table: TrialTable): Summary['troubles'] {
  return table.trials.flatMap(({ planned, record }) => {
    const status = record?.status ?? 'not-run';
    if (status === 'ok') return [];
    const { trialId, blockIndex, arm, workload, client, network, server } = planned;
    const { reason, reasonCode } = record ?? {};
    const har = record?.artifacts['har'];
    return {
      trialId,
      blockIndex,
      arm,
      workload,
      client,
      network,
      server,
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(reasonCode === undefined ? {} : { reasonCode }),
      ...(har === undefined ? {} : { har }),
    };
  });
}

function commonestReason(troubles: Summary['troubles']): string | null {
  const counts = new Map<string, number>();
  for (const { status, reason } of troubles) {
    if (status !== 'not-run' && reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}

function describeRun(
  plan: Plan,
  records: readonly TrialRecord[],
  { complete, decided }: { readonly complete: boolean; readonly decided: number | null },
): Summary['run'] {
  const { startMs, spanMs } = timeOfRun(records);
  return {
    name: plan.name,
    command: plan.command,
    seed: plan.seed,
    repetitions: plan.repetitions,
    arms: plan.arms.map((arm) => arm.label),
    baselineArm: plan.arms[0]?.label ?? '',
    candidateArm: plan.arms[1]?.label ?? '',
    startedAt: startMs === null ? null : new Date(startMs).toISOString(),
    spanMs,
    complete,
    ...(decided === null ? {} : { decidedAfterBlocks: decided }),
    exploratory: plan.exploratory,
  };
}
