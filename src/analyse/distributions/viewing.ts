import { sum } from '../../core/metrics/evidence/numbers.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Arm } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Summary } from '../../core/model/summary.ts';
import type { Viewed, Viewing } from '../../core/model/video-summary.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { describeSample } from '../statistics/quantile.ts';

const valuesOf = (records: readonly TrialRecord[], metric: string): number[] =>
  records.flatMap(({ metrics }) => numericMetric(metrics, metric) ?? []);

const sumOf = (records: readonly TrialRecord[], metric: string): number => sum(valuesOf(records, metric));

function viewed(records: readonly TrialRecord[], metric: string): Viewed {
  const { median, quartiles } = describeSample(valuesOf(records, metric));
  return median === null || quartiles === null ? null : { median, quartiles: [...quartiles] };
}

function recordsOf(trials: ConditionTrials | undefined, arm: string): TrialRecord[] {
  return [...(trials?.recordsByArm.get(arm)?.values() ?? [])];
}

const secondsPerHour = 3600;

function stallsOf(sessions: readonly TrialRecord[]): Viewing['stalls'] {
  const playedSeconds = sumOf(sessions, 'playedSeconds');
  const count = sumOf(sessions, 'stallCount');
  const totalMs = sumOf(sessions, 'stallTotalMs');
  const stalledSeconds = totalMs / 1000;
  return {
    count,
    totalMs,
    sessions: valuesOf(sessions, 'stallCount').filter((stalls) => stalls > 0).length,
    perHour: playedSeconds > 0 ? (count * secondsPerHour) / playedSeconds : null,
    timeShare: playedSeconds > 0 ? stalledSeconds / (stalledSeconds + playedSeconds) : null,
  };
}

/** Of recorded sessions in which the player told the server of itself; nothing where there is none. */
function cmcdOf(recorded: readonly TrialRecord[]): Pick<Viewing, 'cmcd'> {
  const telling = recorded.filter(({ metrics }) => (numericMetric(metrics, 'cmcdRequests') ?? 0) > 0);
  if (telling.length === 0) return {};
  const requests = sumOf(telling, 'cmcdRequests');
  const contradicted = sumOf(telling, 'cmcdContradicted');
  return { cmcd: { sessions: telling.length, requests, contradicted } };
}

/** What viewers got of each arm in each condition with video: a session that was lost is counted, and is in no other figure. */
export function viewingOf(
  arms: readonly Arm[],
  { conditions, recorded }: TrialTable,
): Pick<Summary, 'viewing'> {
  const viewing = conditions
    .filter(({ kind }) => kind === 'video')
    .flatMap((trials) => {
      const { workload, client, network, server, conditionId } = trials.condition;
      const instrumented = recorded.find(({ condition }) => condition.conditionId === conditionId);
      return arms.flatMap(({ label: arm }): Viewing[] => {
        const ran = recordsOf(trials, arm);
        const sessions = ran.filter(({ status }) => status === 'ok');
        const lost = ran.filter(({ status }) => status === 'failed' || status === 'invalid').length;
        if (sessions.length + lost === 0) return [];
        return [
          {
            workload,
            client,
            network,
            server,
            arm,
            sessions: sessions.length,
            lost,
            playedSeconds: sumOf(sessions, 'playedSeconds'),
            startupMs: viewed(sessions, 'startupDelayMs'),
            bitrateKbps: viewed(sessions, 'timeWeightedBitrateKbps'),
            vmaf: viewed(sessions, 'meanVmaf'),
            switches: viewed(sessions, 'switchCount'),
            stalls: stallsOf(sessions),
            ...cmcdOf(recordsOf(instrumented, arm).filter(({ status }) => status === 'ok')),
          },
        ];
      });
    });
  return viewing.length === 0 ? {} : { viewing };
}
