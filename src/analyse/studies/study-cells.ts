import { instrumentationOf } from '../../core/metrics/metric.ts';
import { exposureNames } from '../../core/metrics/rare-events.ts';
import { metricDefinition, metricsOfKind } from '../../core/metrics/registry.ts';
import { numericMetric } from '../../core/model/metrics.ts';
import type { Arm } from '../../core/model/plan.ts';
import type { StudyCell } from '../../core/model/study-run.ts';
import { failedOnlyByEmulatorLag } from '../../core/model/record.ts';
import type { ConditionTrials, TrialTable } from '../comparison/trial-table.ts';
import { usableValue } from '../comparison/trial-table.ts';
import { wasAtRisk } from '../comparison/video-at-risk.ts';

/** As many digits of a value are kept: noise is far larger. */
const keptDigits = 6;

const rounded = (value: number | undefined): number | null =>
  value === undefined ? null : Number(value.toPrecision(keptDigits));

function cellOf({ condition, kind, instrumentation, recordsByArm }: ConditionTrials, arm: string): StudyCell {
  const records = [...(recordsByArm.get(arm) ?? [])]
    .filter(([, { status }]) => status !== 'not-run')
    .sort(([a], [b]) => a - b);
  const metrics = metricsOfKind(kind).flatMap((definition): [string, (number | null)[]][] => {
    if (instrumentationOf(definition) !== instrumentation) return [];
    const values = records.map(([, record]) => rounded(usableValue(record, definition)));
    return values.every((value) => value === null) ? [] : [[definition.name, values]];
  });
  const watched = exposureNames.flatMap((name): [string, (number | null)[]][] => {
    const values = records.map(([, record]) => rounded(numericMetric(record.metrics, name)));
    return values.every((value) => value === null) ? [] : [[name, values]];
  });
  const delayed = records.flatMap(([block, record]) => (failedOnlyByEmulatorLag(record) ? [block] : []));
  const unrisked = records.flatMap(([block, record]) =>
    record.status === 'ok' && wasAtRisk(record) === false ? [block] : [],
  );
  const { workload, network, client, server } = condition;
  return {
    workload,
    kind,
    network,
    client,
    server,
    arm,
    instrumentation,
    blocks: records.map(([block]) => block),
    ...(delayed.length > 0 && { delayed }),
    ...(unrisked.length > 0 && { unrisked }),
    metrics: Object.fromEntries([...metrics, ...watched]),
  };
}

/** Every arm in every condition of a run, also those of which no trial ran. */
export function studyCells(
  table: Pick<TrialTable, 'conditions' | 'recorded'>,
  arms: readonly Arm[],
): StudyCell[] {
  return [...table.conditions, ...table.recorded]
    .filter(({ step }) => step === undefined)
    .flatMap((trials) => arms.map(({ label }) => cellOf(trials, label)));
}

/** The values that a cell has of a metric, by block. */
export function valuesOf(cell: StudyCell, metric: string): Map<number, number> {
  const values = cell.metrics[metric] ?? [];
  return new Map(
    cell.blocks.flatMap((block, index) => {
      const value = values[index];
      return value === null || value === undefined ? [] : [[block, value]];
    }),
  );
}

/** Those cells whose trials give the metric. */
export function cellsWith(cells: readonly StudyCell[], metric: string): StudyCell[] {
  const definition = metricDefinition(metric);
  if (definition === undefined) return [];
  const instrumentation = instrumentationOf(definition);
  return cells.filter(
    (cell) => cell.instrumentation === instrumentation && definition.kinds.includes(cell.kind),
  );
}

/** Name of a client without its version. */
export function clientFamily(client: string): string {
  return client.replace(/@.*/, '');
}
