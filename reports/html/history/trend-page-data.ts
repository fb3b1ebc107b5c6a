import {
  versionOfBuild,
  type PairedWith,
  type Trend,
  type TrendSeries,
} from '../../../src/core/model/history.ts';
import { metricDefinition } from '../../../src/core/metrics/registry.ts';
import { namesFrom } from '../../../src/core/model/names.ts';
import type { WorkloadKind } from '../../../src/core/model/workload.ts';
import { metricWords } from '../../format/metric-words.ts';

/** One chart of the page: a metric of a workload, a line for each protocol. */
export interface TrendChart {
  readonly id: string;
  readonly title: string;
  /** Browser build, network, server, machine. */
  readonly place: string;
  readonly unit: string;
  readonly higherIsBetter: boolean;
  readonly lines: readonly TrendSeries[];
}

export interface TrendPageData {
  readonly charts: readonly TrendChart[];
}

const builds: Readonly<Record<string, string>> = { full: 'full browser', 'headless-shell': 'headless shell' };

const families: Readonly<Record<string, string>> = { chromium: 'Chromium family', firefox: 'Firefox' };

/** A browser family and its build in words. */
export function familyTitle(family: string, build: string): string {
  return `${families[family] ?? family}, ${builds[build] ?? build}`;
}

/** What a paired series shows, as the end of a title. */
export function pairedWords({ baseline, form }: PairedWith): string {
  const named = baseline === versionOfBuild('baseline') ? `the ${baseline}` : `baseline ${baseline}`;
  return `, candidate ${form === 'ratio' ? 'divided by' : 'minus'} ${named}`;
}

/** Series that belong into one chart. */
export function trendCharts({ series, names: table }: Pick<Trend, 'series' | 'names'>): TrendChart[] {
  const names = namesFrom(table);
  const seriesKey = (series: TrendSeries): string =>
    [
      series.machineClass,
      series.family,
      series.build,
      series.kind,
      series.workload,
      series.metric,
      series.network,
      series.server,
      ...(series.pairedWith === undefined ? [] : [series.pairedWith.baseline, series.pairedWith.form]),
    ].join('\u0000');
  return [...Map.groupBy(series, seriesKey).values()].flatMap((group, index) => {
    // A protocol has the same colour in every chart.
    const lines = group.toSorted((a, b) => a.protocol.localeCompare(b.protocol));
    const [first] = lines;
    if (first === undefined) return [];
    const {
      family,
      build,
      network,
      server,
      machineClass,
      kind = 'page',
      workload,
      metric,
      pairedWith,
    } = first;
    const definition = metricDefinition(metric);
    return {
      id: `chart-${index}`,
      title: `${names.workload(workload, kind as WorkloadKind)}: ${metricWords(metric).title}${pairedWith === undefined ? '' : pairedWords(pairedWith)}`,
      place: `${familyTitle(family, build)}, ${names.network(network)}, ${names.server(server)}, ${machineClass}`,
      unit: pairedWith?.form === 'ratio' ? '' : (definition?.unit ?? ''),
      higherIsBetter: definition?.higherIsBetter ?? false,
      lines,
    };
  });
}
