import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeSample } from '../../analyse/statistics/quantile.ts';
import type { ConditionProgress, RunProgress, EndedTrial } from '../../core/model/run-progress.ts';
import { blockName } from '../../core/model/block-name.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import { namesOf } from '../../core/model/names.ts';
import type { Names } from '../../core/model/names.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Condition, Plan, PlannedTrial } from '../../core/model/plan.ts';
import { endOfRecord, type TrialRecord, type TrialStatus } from '../../core/model/record.ts';
import { JournalTail } from '../../store/journal-tail.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { isRunning } from '../../store/run-lock.ts';
import { sharingOf } from './sharing-progress.ts';

const maxLastTrials = 12;

interface Watched {
  readonly path: string;
  readonly plan: Plan;
  readonly tail: JournalTail;
  readonly records: Map<string, TrialRecord>;
  /** The environment is written after the run has begun, so names are asked for each time. */
  readonly names: () => Names;
}

function watch(path: string): Watched {
  const directory = openRunDirectory(path);
  const { plan } = directory;
  let environment = directory.environment();
  const names = (): Names => {
    environment ??= directory.environment();
    return namesOf({ workloads: plan.workloads, environment });
  };
  return { path, plan, tail: new JournalTail(join(path, 'journal.jsonl')), records: new Map(), names };
}

/** The run behind a name such as `results/latest`, looked at again and again; a newer run takes its place. */
export class ProgressReader {
  readonly #name: string;
  #watched: Watched;

  /** @throws H2h3Error `bad-input` where the folder holds no run. */
  constructor(name: string) {
    this.#name = name;
    this.#watched = watch(existsSync(name) ? realpathSync(name) : name);
  }

  /** The run's own folder, links resolved. */
  get path(): string {
    return this.#watched.path;
  }

  progress(): RunProgress {
    const path = realpathSync(this.#name);
    if (path !== this.#watched.path && existsSync(join(path, 'plan.json'))) this.#watched = watch(path);
    const { tail, records } = this.#watched;
    for (const record of tail.read()) if (!records.has(record.trialId)) records.set(record.trialId, record);
    return progressOf(this.#watched);
  }
}

function primaryOf(plan: Plan, workload: string): { metric: string; unit: string } {
  const kind = plan.workloads.find(({ id }) => id === workload)?.kind;
  const metric = (kind && plan.primary[kind]) ?? '';
  return { metric, unit: metricDefinition(metric)?.unit ?? '' };
}

function named(
  names: Names,
  { workload, client, network }: Pick<Condition, 'workload' | 'client' | 'network'>,
): Pick<EndedTrial, 'workload' | 'client' | 'network'> {
  return {
    workload: names.workload(workload, 'page'),
    client: names.client(client),
    network: names.network(network),
  };
}

/** Trials are grouped once, however many conditions a plan has: each look at a run in progress does all of this. */
function conditionsOf({ plan, records }: Watched, names: Names): ConditionProgress[] {
  const byCondition = Map.groupBy(plan.trials, ({ conditionId }) => conditionId);
  return plan.conditions.map((condition) =>
    conditionOf({ plan, records, names, condition, trials: byCondition.get(condition.conditionId) ?? [] }),
  );
}

interface OneCondition extends Pick<Watched, 'plan' | 'records'> {
  readonly names: Names;
  readonly condition: Condition;
  readonly trials: readonly PlannedTrial[];
}

function conditionOf({ plan, records, names, condition, trials }: OneCondition): ConditionProgress {
  const { metric, unit } = primaryOf(plan, condition.workload);
  const byArm = Map.groupBy(trials, ({ arm }) => arm);
  const arms = plan.arms.map(({ label }) => {
    const own = byArm.get(label) ?? [];
    const ended = own.flatMap(({ trialId }) => records.get(trialId) ?? []);
    const ok = ended.filter(({ status }) => status === 'ok');
    const values = ok.flatMap(({ metrics }) => numericMetric(metrics, metric) ?? []);
    return {
      arm: label,
      planned: own.length,
      ok: ok.length,
      lost: ended.length - ok.length,
      median: describeSample(values).median,
    };
  });
  return { ...named(names, condition), server: names.server(condition.server), metric, unit, arms };
}

function endedTrial({ plan, names }: Watched, record: TrialRecord): EndedTrial {
  const { trialId, arm, blockIndex, status, reason } = record;
  const { metric, unit } = primaryOf(plan, record.workload);
  return {
    ...named(names(), record),
    trialId,
    arm,
    block: blockName(blockIndex, plan.repetitions),
    status,
    unit,
    reason: reason ?? null,
    value: numericMetric(record.metrics, metric) ?? null,
    endedAt: new Date(endOfRecord(record)).toISOString(),
  };
}

/** What is left takes as long a trial as the last trials did, with all that lay between them. */
function remainingMs(records: readonly TrialRecord[], left: number): number | null {
  const recent = records.slice(-40);
  const [first] = recent;
  const last = recent.at(-1);
  if (first === undefined || last === undefined) return null;
  return ((endOfRecord(last) - Date.parse(first.startedAt)) / recent.length) * left;
}

function stateOf(path: string, left: number): RunProgress['state'] {
  if (left === 0) return 'ended';
  return isRunning(path) ? 'running' : 'stopped';
}

function reportIsCurrent(path: string): boolean {
  const [report, journal] = ['report.html', 'journal.jsonl'].map((name) =>
    statSync(join(path, name), { throwIfNoEntry: false }),
  );
  return report !== undefined && journal !== undefined && report.mtimeMs >= journal.mtimeMs;
}

function progressOf(watched: Watched): RunProgress {
  const { path, plan } = watched;
  const records = [...watched.records.values()];
  const left = Math.max(0, plan.trials.length - records.length);
  const counts: Record<TrialStatus, number> = { ok: 0, invalid: 0, failed: 0, unsupported: 0, 'not-run': 0 };
  for (const { status } of records) counts[status]++;
  const state = stateOf(path, left);
  const names = watched.names();
  const sharing = sharingOf({ plan, records: watched.records, names });
  return {
    name: plan.name,
    command: plan.command,
    state,
    planned: plan.trials.length,
    counts,
    startedAt: records[0]?.startedAt ?? null,
    remainingMs: state === 'running' ? remainingMs(records, left) : null,
    conditions: conditionsOf(watched, names),
    ...(sharing === undefined ? {} : { sharing }),
    lastTrials: records
      .slice(-maxLastTrials)
      .toReversed()
      .map((record) => endedTrial(watched, record)),
    hasReport: reportIsCurrent(path),
  };
}
