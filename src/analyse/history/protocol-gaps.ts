import type { ProtocolGap } from '../../core/model/history.ts';
import { formOfValues, pairedBlocks } from './night-gaps.ts';
import type { SeriesNight } from './series-night.ts';
import { nightPoints, versionPoints } from './trend-points.ts';

/** The protocols whose gap a history follows. */
const [baseline, candidate] = ['h2', 'h3'] as const;

function seriesKey(row: SeriesNight): string {
  const { machineClass, family, build, kind, workload, metric, network, server } = row;
  return JSON.stringify([machineClass, family, build, kind, workload, metric, network, server]);
}

/**
 * HTTP/3 against HTTP/2 of the same browser in the same blocks, by version and by night: what the machine did to both
 * cancels, and so does what a release did to both.
 */
export function protocolGaps(rows: readonly SeriesNight[]): ProtocolGap[] {
  return [...Map.groupBy(rows, seriesKey).values()].flatMap((group): ProtocolGap[] => {
    const runs = [...Map.groupBy(group, ({ startedAt, version }) => `${startedAt} ${version}`).values()];
    const pairs = runs.flatMap((ofRun) => {
      const first = ofRun.find(({ protocol }) => protocol === baseline);
      const second = ofRun.find(({ protocol }) => protocol === candidate);
      if (first === undefined || second === undefined) return [];
      const blocks = pairedBlocks(first, second);
      return blocks.length === 0 ? [] : [{ row: second, blocks }];
    });
    const [firstPair] = pairs;
    if (firstPair === undefined) return [];
    const { machineClass, family, build, workload, kind, metric, network, server } = firstPair.row;
    const values = pairs.flatMap(({ blocks }) => blocks.flatMap(({ first, second }) => [first, second]));
    const form = formOfValues(metric, values);
    const gaps = pairs.map(({ row, blocks }) => ({
      ...row,
      values: blocks.map(({ first, second }) => (form === 'ratio' ? second / first : second - first)),
    }));
    return [
      {
        machineClass,
        family,
        build,
        workload,
        metric,
        network,
        server,
        form,
        ...(kind === undefined ? {} : { kind }),
        nights: nightPoints(gaps),
        versions: versionPoints(gaps),
      },
    ];
  });
}
