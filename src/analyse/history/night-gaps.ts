import type { BetweenRunNoise } from '../../core/model/calibration.ts';
import type { ComparisonForm } from '../../core/model/metrics.ts';
import { metricDefinition } from '../../core/metrics/registry.ts';
import type { WorkloadKind } from '../../core/model/workload.ts';
import { spreadOfRuns } from '../between-runs/between-run-noise.ts';
import { momentsOf } from '../statistics/student-t.ts';
import type { SeriesNight } from './series-night.ts';

/** Values of one block in two rows of the same run. */
export interface PairedBlock {
  readonly block: number;
  readonly first: number;
  readonly second: number;
}

/** Blocks that two rows of a run have both; histories without block numbers have none. */
export function pairedBlocks(first: SeriesNight, second: SeriesNight): PairedBlock[] {
  const other = new Map((second.blocks ?? []).map((block, i) => [block, second.values[i]]));
  return (first.blocks ?? []).flatMap((block, i) => {
    const a = first.values[i];
    const b = other.get(block);
    return a === undefined || b === undefined ? [] : [{ block, first: a, second: b }];
  });
}

/** How the values of a metric are compared: by ratio where all of them are above zero. */
export function formOfValues(metric: string, values: readonly number[]): ComparisonForm {
  return metricDefinition(metric)?.form !== 'difference' && values.every((value) => value > 0)
    ? 'ratio'
    : 'difference';
}

const runOf = (row: SeriesNight): string =>
  JSON.stringify([
    row.startedAt,
    row.family,
    row.version,
    row.build,
    row.kind,
    row.workload,
    row.metric,
    row.network,
    row.server,
  ]);

/**
 * What nights differ by: the level of each protocol, and the gap between two protocols of one browser, each a figure a
 * night. Changes of the browser over the nights are part of it, which makes verdicts between runs rarer, not looser.
 */
export function noiseOfNights(rows: readonly SeriesNight[]): BetweenRunNoise[] {
  const levels = rows.map((row) => {
    const form = formOfValues(row.metric, row.values);
    const scaled = form === 'ratio' ? row.values.map(Math.log) : row.values;
    return {
      named: { ...named(row, form), what: 'level' as const, arms: [row.protocol] },
      value: momentsOf(scaled).mean,
    };
  });
  const gaps = [...Map.groupBy(rows, runOf).values()].flatMap((ofRun) => {
    const sorted = ofRun.toSorted((a, b) => a.protocol.localeCompare(b.protocol));
    return sorted.flatMap((first, i) =>
      sorted.slice(i + 1).flatMap((second) => {
        const pairs = pairedBlocks(first, second);
        if (pairs.length === 0 || first.protocol === second.protocol) return [];
        const form = formOfValues(
          first.metric,
          pairs.flatMap((pair) => [pair.first, pair.second]),
        );
        const effects = pairs.map((pair) =>
          form === 'ratio' ? Math.log(pair.second) - Math.log(pair.first) : pair.second - pair.first,
        );
        const arms = [first.protocol, second.protocol];
        return [
          { named: { ...named(first, form), what: 'gap' as const, arms }, value: momentsOf(effects).mean },
        ];
      }),
    );
  });
  return spreadOfRuns([...levels, ...gaps]);
}

type NamedNight = Pick<
  BetweenRunNoise,
  'workload' | 'workloadKind' | 'network' | 'metric' | 'form' | 'source'
>;

function named({ workload, kind, network, metric }: SeriesNight, form: ComparisonForm): NamedNight {
  return { workload, workloadKind: kind as WorkloadKind, network, metric, form, source: 'history' };
}
