import { networkSpecSchema, type NetworkSpec } from '../core/model/network-spec.ts';
import type { Grid } from '../core/model/plan.ts';
import { bytesOfSize } from '../core/model/units.ts';
import type { GridInput, PlanFile } from './plan-file.ts';

/** The buffer of Kakhki et al. (IMC 2017) at its least rate. */
const minQueueBytes = 30_000;

function gridNetwork(rateMbps: number, rttMs: number, lossPercent: number): NetworkSpec {
  const bandwidthDelayBytes = Math.round((rateMbps * 1e6 * rttMs) / 8000);
  const direction = {
    rateMbps,
    delayMs: rttMs / 2,
    lossPercent,
    queueBytes: Math.max(minQueueBytes, bandwidthDelayBytes),
  };
  return networkSpecSchema.parse({
    id: `grid-${rateMbps}mbit-${rttMs}ms-${lossPercent}pct`,
    title: `${rateMbps} Mbit/s, ${rttMs} ms round trip, ${lossPercent} % loss in each direction`,
    source: 'the grid of the plan; queue: one bandwidth-delay product, at least 30 KB',
    up: direction,
    down: direction,
  });
}

export interface ExpandedGrid {
  readonly networks: readonly NetworkSpec[];
  /** Names of downloads, such as `download-100kb-x10`. */
  readonly workloads: readonly string[];
  readonly grid: Grid;
}

/** Networks and downloads of a grid, each once. */
export function expandGrid(input: GridInput): ExpandedGrid {
  const points = input.rateMbps.flatMap((rateMbps) =>
    input.rttMs.flatMap((rttMs) =>
      input.lossPercent.map((lossPercent) => ({
        spec: gridNetwork(rateMbps, rttMs, lossPercent),
        rateMbps,
        rttMs,
        lossPercent,
      })),
    ),
  );
  const downloads = input.size.flatMap((size) =>
    input.count.map((count) => ({
      workload: `download-${size}${count === 1 ? '' : `-x${count}`}`,
      sizeBytes: bytesOfSize(size),
      count,
    })),
  );
  return {
    networks: points.map(({ spec }) => spec),
    workloads: downloads.map(({ workload }) => workload),
    grid: {
      networks: points.map(({ spec, ...point }) => ({ network: spec.id, ...point })),
      workloads: downloads,
    },
  };
}

/** Networks that a plan file defines, those of its grid included. */
export function definedNetworks(file: PlanFile): NetworkSpec[] {
  const custom = Object.entries(file.customNetworks).map(([id, network]) =>
    networkSpecSchema.parse({
      ...network,
      id,
      title: network.title ?? id,
      source: network.source ?? 'the plan file',
      offloads: network.offloads ?? false,
    }),
  );
  return [...custom, ...(file.grid ? expandGrid(file.grid).networks : [])];
}

/** The plan with its grid's networks and downloads in place of its own. */
export function withGrid(file: PlanFile): PlanFile {
  if (!file.grid) return file;
  const { networks, workloads } = expandGrid(file.grid);
  return {
    ...file,
    networks: networks.map(({ id }) => id),
    workloads: [...workloads],
    exploratory: true,
  };
}
