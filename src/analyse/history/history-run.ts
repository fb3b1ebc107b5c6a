import type { Environment } from '../../core/model/environment.ts';
import type { Gate } from '../../core/model/gate.ts';
import {
  versionOfBuild,
  type HistoryRun,
  type Observation,
  type RunState,
} from '../../core/model/history.ts';
import { machineClassOfRun } from '../../core/model/machine-class.ts';
import { armText } from '../../core/factors/arm-text.ts';
import { factorsSetIn } from '../../core/factors/registry.ts';
import { instrumentationOf } from '../../core/metrics/metric.ts';
import { metricsOfKind } from '../../core/metrics/registry.ts';
import type { Factors } from '../../core/model/factor.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Plan, PlannedTrial } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { completeBlocks } from '../comparison/interim-schedule.ts';
import { audienceObservations } from './audience-observations.ts';

export interface RunToImport {
  readonly runId: string;
  readonly digest: string;
  readonly folder: string;
  readonly plan: Plan;
  readonly environment: Environment | null;
  readonly records: readonly TrialRecord[];
  readonly gate: Gate | null;
}

/** A share of lost trials above which a run is no measurement; the same as for exit codes. */
const lostShareLimit = 0.2;

function stateOf(plan: Plan, records: readonly TrialRecord[]): { state: RunState; reason: string } {
  const ok = records.filter(({ status }) => status === 'ok').length;
  const ran = records.filter(({ status }) => status !== 'not-run');
  const missing = plan.trials.length - new Set(records.map(({ trialId }) => trialId)).size;
  if (records.length === 0) return { state: 'empty', reason: 'no trial was recorded' };
  if (missing > 0)
    return { state: 'crashed', reason: `it ended with ${missing} of ${plan.trials.length} trials not run` };
  if (ok === 0 || ran.length - ok > lostShareLimit * ran.length)
    return { state: 'failed', reason: `${ran.length - ok} of ${ran.length} trials failed or were invalid` };
  const least = plan.interims?.[0] ?? plan.repetitions;
  const blocks = completeBlocks(plan, records);
  if (blocks < least)
    return { state: 'half', reason: `the budget ended after ${blocks} blocks, ${least} are needed` };
  return { state: 'complete', reason: '' };
}

/** What gates and nights compare two of. */
const comparedFactors = ['client', 'server', 'player', 'app'] as const;

interface Side {
  readonly role: Observation['role'];
  /** Of what has no version of a client's or a place of its own: two builds, or two players, are never one series. */
  readonly version?: string;
}

/** What a series or a side of it has by itself. */
const namedApart: readonly string[] = [...comparedFactors, 'network'];

/** The protocol of an arm with what it sets besides, as `h2+ipv6=broken`: what differs in that is never one series. */
function settingOf({ factors: own }: Plan['arms'][number]): string {
  const apart = factorsSetIn(own).filter(({ id, freeText }) => freeText !== true && !namedApart.includes(id));
  const factors: Factors = Object.fromEntries(apart.map(({ id }) => [id, own[id]]));
  return armText(factors);
}

/** The first that the arms name is the baseline, the last one the candidate. */
function sideOf({ arms }: Plan, { factors: own }: PlannedTrial): Side {
  for (const factor of comparedFactors) {
    const named = [...new Set(arms.flatMap((one) => one.factors[factor] ?? []))];
    if (named.length < 2) continue;
    const role = own[factor] === named.at(-1) ? 'candidate' : 'baseline';
    if (factor === 'app') return { role, version: versionOfBuild(own[factor] ?? '') };
    return factor === 'player' ? { role, version: own[factor] ?? '' } : { role };
  }
  return { role: 'only' };
}

function observationsOf({ plan, environment, records }: RunToImport): Observation[] {
  const recordById = new Map(records.map((record) => [record.trialId, record]));
  const kinds = new Map(plan.workloads.map(({ id, kind }) => [id, kind]));
  const settings = new Map(plan.arms.map((arm) => [arm.label, settingOf(arm)]));
  const clients = new Map(environment?.clients.map((client) => [client.id, client]));
  return plan.trials.flatMap((trial) => {
    const record = recordById.get(trial.trialId);
    const kind = kinds.get(trial.workload);
    if (record?.status !== 'ok' || kind === undefined) return [];
    const client = clients.get(trial.client);
    const { workload, network, server, arm } = trial;
    const side = sideOf(plan, trial);
    return metricsOfKind(kind).flatMap((metric): Observation[] => {
      const { name } = metric;
      const value = numericMetric(record.metrics, name);
      if (value === undefined || instrumentationOf(metric) !== trial.instrumentation) return [];
      return [
        {
          block: trial.blockIndex,
          arm,
          role: side.role,
          protocol: settings.get(arm) ?? 'unknown',
          client: trial.client,
          family: client?.family ?? 'unknown',
          version: side.version ?? client?.version ?? 'unknown',
          build: client?.build ?? 'unknown',
          workload,
          kind,
          network,
          server,
          metric: name,
          value,
        },
      ];
    });
  });
}

/** A run as the history keeps it. Runs that are not complete come in as well, so that they are seen. */
export function historyRun(input: RunToImport): HistoryRun {
  const { runId, digest, folder, plan, environment, records, gate } = input;
  const started = environment?.startedAt ?? records[0]?.startedAt ?? new Date(0).toISOString();
  const ok = records.filter(({ status }) => status === 'ok').length;
  const notRun = records.filter(({ status }) => status === 'not-run').length;
  const observations = observationsOf(input);
  return {
    runId,
    digest,
    folder,
    name: plan.name,
    night: started.slice(0, 10),
    startedAt: started,
    machineClass: environment === null ? 'unknown' : machineClassOfRun(environment),
    ...stateOf(plan, records),
    blocksPlanned: plan.repetitions,
    blocksDone: completeBlocks(plan, records),
    trialsOk: ok,
    trialsLost: records.length - ok - notRun,
    gateOutcome: gate?.outcome ?? null,
    command: plan.command,
    gitRevision: environment?.h2h3.gitRevision ?? null,
    observations: [...observations, ...audienceObservations(plan, records, observations)],
  };
}
