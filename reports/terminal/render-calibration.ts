import type {
  CalibrationDocument,
  NoiseSeries,
  InstrumentationAsymmetry,
} from '../../src/core/model/calibration.ts';
import { alignedRows } from './terminal-text.ts';
import { formatNumber, formatShare, plural } from '../format/numbers.ts';

function shown(value: number, { form, unit }: NoiseSeries): string {
  return form === 'ratio' ? formatShare(value) : `${formatNumber(value)} ${unit}`.trim();
}

function seriesTable(series: readonly NoiseSeries[]): string[] {
  const counts = series[0]?.smallestEffect.map(({ blocks }) => blocks) ?? [];
  const head = [
    'workload',
    'arm',
    'metric',
    'noise',
    'margin',
    ...counts.map((blocks) => `finds (${blocks})`),
    `margin seen (${counts.at(-1) ?? ''})`,
  ];
  return alignedRows([
    head,
    ...series.map((series) => [
      series.workload,
      series.arm,
      series.metric,
      shown(series.noise, series),
      shown(series.margin, series),
      ...series.smallestEffect.map(({ value }) => shown(value, series)),
      shown(series.smallestMargin.at(-1)?.value ?? NaN, series),
    ]),
  ]);
}

function powerTable({ power }: CalibrationDocument): string[] {
  const counts = power[0]?.detected.map(({ blocks }) => blocks) ?? [];
  return alignedRows([
    [
      'injected',
      'workload',
      'arm',
      'metric',
      ...counts.map((blocks) => `n = ${blocks}`),
      'interims 12, 16, 20',
    ],
    ...power.map((row) => [
      row.injection,
      row.workload,
      row.arm,
      row.metric,
      ...row.detected.map(({ share }) => formatShare(share)),
      formatShare(row.sequential),
    ]),
  ]);
}

function alarmLines(calibration: CalibrationDocument): string[] {
  const { falseAlarmRate, falseAlarmInterval, attainableSize, comparisons, consistent, untestable } =
    calibration;
  const { families, alarmedFamilies, alarmedFamiliesUpperBound } = calibration;
  const range =
    falseAlarmInterval === null
      ? 'no interval from one run'
      : `95 % interval clustered by run ${formatShare(falseAlarmInterval[0])} to ${formatShare(falseAlarmInterval[1])}`;
  const judged = { true: 'as it should be', false: 'NOT as it should be', null: 'not judged' }[
    String(consistent)
  ];
  return [
    `False alarms: ${formatShare(falseAlarmRate)} of ${plural(comparisons, 'A/A comparison')} with p < 0.05 (${range}). An exact test of these blocks has ${formatShare(attainableSize)}: ${judged}. ${plural(untestable, 'comparison')} could never alarm and are left out.`,
    `Families with any better or worse verdict: ${alarmedFamilies} of ${families}. Their share is below ${formatShare(alarmedFamiliesUpperBound)} (95 %).`,
  ];
}

const disturbances: Readonly<Record<InstrumentationAsymmetry['of'], string>> = {
  recording: 'recording',
  driver: 'a script’s library',
  header: '--header',
  block: '--block',
  deterministic: '--deterministic',
};

/** What recording costs one protocol more than the other, where that was measured. */
function overheadLines({ instrumentationOverhead }: CalibrationDocument): string[] {
  if (instrumentationOverhead.length === 0) return [];
  const rows = instrumentationOverhead.map(
    ({ of, workloadKind, client, network, baseline, candidate, ratio, bound, blocks }) => [
      disturbances[of],
      workloadKind,
      client,
      network,
      `${candidate} against ${baseline}`,
      formatNumber(ratio, 3),
      formatShare(bound),
      String(blocks),
    ],
  );
  return [
    '',
    'Recording slows one protocol more than the other by this factor, and by at most so much (95 %):',
    ...alignedRows([
      ['of', 'kind', 'client', 'network', 'protocols', 'factor', 'at most', 'blocks'],
      ...rows,
    ]),
  ];
}

export interface CalibrationTextOptions {
  /** Every metric of every workload instead of the primary ones. */
  readonly all: boolean;
  readonly primary: readonly string[];
}

/** A calibration for people: false alarms, noise by metric, what can be seen, detection of injected regressions. */
export function renderCalibration(
  calibration: CalibrationDocument,
  { all, primary }: CalibrationTextOptions,
): string {
  const series = calibration.series.filter(({ metric }) => all || primary.includes(metric));
  const blocks = calibration.runs.reduce((sum, run) => sum + run.blocks, 0);
  return [
    `${calibration.machineClass}: ${plural(calibration.runs.length, 'A/A run')}, ${plural(blocks, 'block')}`,
    '',
    ...alarmLines(calibration),
    '',
    'Noise per block, and the smallest true change that so many blocks find worse with 80 % power (beyond the margin).',
    'Last: the smallest margin at which no change is found equivalent with 80 % power.',
    ...seriesTable(series),
    ...(calibration.power.length === 0
      ? []
      : [
          '',
          `Injected into the recorded blocks (${calibration.power[0]?.resamples ?? 0} resamples each): share found worse`,
          ...powerTable(calibration),
        ]),
    ...overheadLines(calibration),
    ...calibration.warnings.map((warning) => `Warning: ${warning}`),
    '',
  ].join('\n');
}
