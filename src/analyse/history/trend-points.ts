import type { TrendPoint } from '../../core/model/history.ts';
import { medianInterval } from '../statistics/median-interval.ts';
import { describeSample } from '../statistics/quantile.ts';
import type { SeriesNight } from './series-night.ts';

const level = 0.95;

function versionParts(version: string): number[] {
  return version.split(/\D+/).filter(Boolean).map(Number);
}

function byVersion(a: string, b: string): number {
  const left = versionParts(a);
  const right = versionParts(b);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function point(night: string, version: string, values: readonly number[]): TrendPoint {
  return {
    night,
    version,
    n: values.length,
    median: describeSample(values).median ?? 0,
    interval: medianInterval(values, level),
  };
}

/** Of each night the candidate, or the newest version where there is none. */
export function nightPoints(rows: readonly SeriesNight[]): TrendPoint[] {
  return [...Map.groupBy(rows, ({ night }) => night)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([night, all]) => {
      const candidates = all.filter(({ role }) => role === 'candidate');
      const ofNight = candidates.length > 0 ? candidates : all;
      const newest = ofNight.toSorted((a, b) => byVersion(b.version, a.version))[0]?.version ?? '';
      const values = ofNight.filter(({ version }) => version === newest).flatMap((row) => row.values);
      return point(night, newest, values);
    });
}

/** All nights of each version together, the oldest version first. */
export function versionPoints(rows: readonly SeriesNight[]): TrendPoint[] {
  return [...Map.groupBy(rows, ({ version }) => version)]
    .sort(([a], [b]) => byVersion(a, b))
    .map(([version, group]) =>
      point(
        group[0]?.night ?? '',
        version,
        group.flatMap((row) => row.values),
      ),
    );
}
