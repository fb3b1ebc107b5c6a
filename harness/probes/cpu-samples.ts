import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cpuBetween, cpuSnapshot, type CpuSnapshot } from '../../src/core/system/processes/process-cpu.ts';
import { atIntervals } from './at-intervals.ts';
import type { Probe, ProbeYield } from './probe.ts';

/** As Shreedhar et al. (TNSM 2022, section VI) read it. */
const sampleMs = 500;
const maxSamples = 20_000;
const file = 'cpu-samples.json';

/** The accounting of the client's processes at a moment. */
export interface CpuReading {
  readonly atMs: number;
  readonly snapshot: CpuSnapshot;
}

/** CPU use of all the client's processes together in one interval. */
export interface CpuSample {
  /** Since the first reading. */
  readonly tMs: number;
  /** Of one CPU. */
  readonly percent: number;
}

/**
 * Use between each reading and the next. What comes last and is shorter than half a sample is left out: the kernel counts
 * in hundredths of a second.
 */
export function cpuSamplesOf(readings: readonly CpuReading[]): CpuSample[] {
  const [first] = readings;
  return readings.flatMap(({ atMs, snapshot }, index) => {
    const before = readings[index - 1];
    if (before === undefined || first === undefined || atMs - before.atMs < sampleMs / 2) return [];
    const used = cpuBetween(before.snapshot, snapshot, () => '').reduce(
      (sum, { userSeconds, systemSeconds }) => sum + userSeconds + systemSeconds,
      0,
    );
    return { tMs: Math.round(atMs - first.atMs), percent: (100 * 1000 * used) / (atMs - before.atMs) };
  });
}

/** CPU use of the client over time, which totals hide: twice a second. */
export const cpuSamples: Probe = {
  id: 'cpu-samples',
  title: 'CPU use of the client’s processes, twice a second, from the operating system',
  recorded: 'asked',
  disturbs: true,
  inTimed: true,
  onThisMachine: true,
  counts: ['cpuSampledPercent'],
  setup: ({ rootPid, trialDir }) => {
    const readings: CpuReading[] = [];
    const take = (): void => {
      if (readings.length <= maxSamples)
        readings.push({ atMs: performance.now(), snapshot: cpuSnapshot(rootPid) });
    };
    return { ...atIntervals(take, sampleMs), teardown: () => keep(cpuSamplesOf(readings), trialDir) };
  },
};

async function keep(samples: readonly CpuSample[], trialDir: string): Promise<ProbeYield> {
  // A load that ends before half a sample has nothing to tell.
  if (samples.length === 0) return {};
  await writeFile(join(trialDir, file), JSON.stringify({ sampleMs, samples }));
  const percents = samples.map(({ percent }) => percent);
  return {
    counters: {
      cpuSamples: samples.length,
      cpuSampledPercent: percents.reduce((sum, percent) => sum + percent, 0) / samples.length,
      cpuSampledPeakPercent: Math.max(...percents),
    },
    artifacts: { cpuSamples: file },
  };
}
