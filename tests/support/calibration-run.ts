import type { CalibrationRun } from '../../src/analyse/calibrate/calibrate-machine.ts';
import type { PowerRow } from '../../src/core/model/calibration.ts';
import type { Arm } from '../../src/core/model/plan.ts';
import { parseArms } from '../../src/plan/arms.ts';
import { generateRun } from './generated-run.ts';

/** Each protocol twice, as `calibrate` runs them. */
export const calibrationArms: readonly Arm[] = parseArms(['h2', 'h3', 'h2', 'h3']);

export const calibrationWorkloads = [
  { id: 'page-a', kind: 'page' },
  { id: 'download-a', kind: 'download' },
] as const;

export const calibrationOptions = {
  resamples: 1000,
  seed: 1,
  comparisons: 2,
  createdAt: '',
  command: '',
  asked: [],
  warnings: [],
};

/** Runs of twelve blocks over a machine of this noise, in which nothing differs. */
export function calibrationRuns(count: number, firstSeed: number, noise: number): CalibrationRun[] {
  return Array.from({ length: count }, (_, index) => {
    const seed = firstSeed + index;
    const options = { seed, arms: calibrationArms, blocks: 12, noise, workloads: calibrationWorkloads };
    return { ...generateRun(options), environment: null };
  });
}

/** Share of resampled runs of so many blocks in which the injection was found. */
export function shareAt(row: PowerRow | undefined, blocks: number): number {
  return row?.detected.find((one) => one.blocks === blocks)?.share ?? Number.NaN;
}
