import type {
  CalibrationDocument,
  PowerRow,
  InstrumentationAsymmetry,
} from '../../core/model/calibration.ts';
import type { Environment } from '../../core/model/environment.ts';
import type { Plan } from '../../core/model/plan.ts';
import { machineClassOfRun } from '../../core/model/machine-class.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { Comparison } from '../../core/model/summary.ts';
import { falseAlarmsOf } from '../summary/false-alarms.ts';
import { noiseBetweenRuns } from '../between-runs/between-run-noise.ts';
import type { PowerOptions } from './power.ts';
import { attributionShare, detectionShare } from './power.ts';
import { identicalComparisons, recordedSeries } from './recorded-blocks.ts';
import type { RecordedSeries } from './recorded-blocks.ts';
import { instrumentationAsymmetries } from './instrumentation-asymmetry.ts';
import { describeNoise, minRecordedBlocks } from './smallest-effect.ts';

export interface CalibrationRun {
  readonly plan: Plan;
  readonly environment: Environment | null;
  readonly records: readonly TrialRecord[];
}

export interface CalibrateMachineOptions extends PowerOptions {
  readonly createdAt: string;
  readonly command: string;
  /** Whether the table of injected regressions is wanted; it takes a few seconds. */
  readonly power: boolean;
  /** What was measured of requests that the browser holds; empty where it was not. */
  readonly asked: readonly InstrumentationAsymmetry[];
  readonly warnings: readonly string[];
}

/** What A/A runs say about this machine: noise, false alarms, smallest effects, detection of injected regressions. */
export function calibrateMachine(
  runs: readonly CalibrationRun[],
  options: CalibrateMachineOptions,
): CalibrationDocument {
  const same = runs.map(({ plan, records }) => identicalComparisons(plan, records));
  const alarms = falseAlarmsOf(same);
  const series = recordedSeries(same);
  const { falseAlarmInterval } = alarms;
  const known = runs.find(({ environment }) => environment !== null)?.environment ?? undefined;
  return {
    schemaVersion: 1,
    machineClass: known === undefined ? 'unknown' : machineClassOfRun(known),
    createdAt: options.createdAt,
    command: options.command,
    runs: runs.map(({ plan, environment }, index) => ({
      name: plan.name,
      startedAt: environment?.startedAt ?? null,
      blocks: Math.max(0, ...(same[index] ?? []).map(({ blocks }) => blocks)),
    })),
    ...alarms,
    falseAlarmInterval: falseAlarmInterval === null ? null : [...falseAlarmInterval],
    series: series.flatMap((series) => describeNoise(series, options.resamples, options.seed) ?? []),
    power: options.power ? powerTable(series, options) : [],
    betweenRuns: noiseBetweenRuns(same),
    instrumentationOverhead: [...instrumentationAsymmetries(runs), ...options.asked],
    warnings: [...options.warnings],
  };
}

const isPrimary = ({ example }: RecordedSeries): boolean => example.primary;
const named = (metric: string) => (series: RecordedSeries) => series.example.metric === metric;

/** The regressions of the project's proof: +5, +10, +20 % delay, −20 % rate, +50 ms connection set-up over h3 alone. */
function powerTable(all: readonly RecordedSeries[], options: PowerOptions): PowerRow[] {
  const series = all.filter(({ pairs }) => pairs.length >= minRecordedBlocks);
  const primary = series.filter(isPrimary);
  const delays = primary.filter(({ example }) => !example.higherIsBetter);
  const rates = primary.filter(({ example }) => example.higherIsBetter);
  return [
    ...primary.map((series) => detectionShare(series, 'nothing', {}, options)),
    ...[1.05, 1.1, 1.2].flatMap((factor) =>
      delays.map((delay) =>
        detectionShare(delay, `+${Math.round((factor - 1) * 100)} % delay`, { factor }, options),
      ),
    ),
    ...rates.map((rate) => detectionShare(rate, '−20 % rate', { factor: 0.8 }, options)),
    ...connectRows(series, options),
  ];
}

/** 50 ms more for the set-up of every connection over h3: the set-up itself, and a page that waits for one of them. */
function connectRows(series: readonly RecordedSeries[], options: PowerOptions): PowerRow[] {
  const overH3 = ({ arm }: RecordedSeries): boolean => /(^|:)h3$/.test(arm);
  const words = '+50 ms connect, h3 only';
  const candidates = [
    ...series.filter((series) => isPrimary(series) && named('pltMs')(series) && overH3(series)),
    ...series.filter((series) => named('connectMs')(series) && overH3(series)),
  ];
  return candidates.flatMap((candidate) => {
    const { workload, workloadKind, metric, network, server } = candidate.example;
    const baseline = series.find(
      ({ arm, example }: { arm: string; example: Comparison }) =>
        arm === candidate.arm.replace(/h3$/, 'h2') &&
        example.workload === workload &&
        example.workloadKind === workloadKind &&
        example.metric === metric &&
        example.network === network &&
        example.server === server,
    );
    if (baseline === undefined || candidate.form !== 'ratio' || baseline.form !== 'ratio') return [];
    return [
      detectionShare(candidate, words, { plus: 50 }, options),
      attributionShare({
        baseline,
        candidate,
        words: `${words}: blamed on h3`,
        injection: { plus: 50 },
        options,
      }),
    ];
  });
}
