import { buildTrialTable } from '../../src/analyse/comparison/trial-table.ts';
import { compareRun } from '../../src/analyse/comparison/compare-run.ts';
import { comparisonRules } from '../../src/analyse/comparison/comparison-rules.ts';
import { hasReason } from '../../src/core/model/reasons.ts';
import { analyseInterims } from '../../src/analyse/comparison/interim-analyses.ts';
import { plannedInterims } from '../../src/analyse/forecast/decidability.ts';
import { proportionInterval } from '../support/proportion-interval.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import type { SeededRandom } from '../../src/core/model/seeded-random.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import type { Comparison } from '../../src/core/model/summary.ts';
import { audienceFixture } from '../support/audience-fixture.ts';
import { gaussian, generateRun, type GeneratedRunOptions } from '../support/generated-run.ts';
import { drawNoise, type Noise } from './noise.ts';

/** One cell of the table: a truth, a noise and a plan, simulated through the code that judges real runs. */
export interface Cell {
  readonly name: string;
  /** Truth of each site, or of each segment of an audience, as ratio of the candidate to the baseline. */
  readonly ratios: readonly number[];
  /** Of an audience: the share of each segment. Absent: sites of one network. */
  readonly shares?: readonly number[];
  readonly noise: Noise;
  /** Standard deviation of a trial's logarithm; of each site where there are several. */
  readonly spread: number | readonly number[];
  readonly blocks: number;
  readonly pooled: boolean;
  readonly sequential: boolean;
  /** Share of trials lost at random. */
  readonly lossShare?: number;
  /** Whether the candidate loses its slowest tenth instead. */
  readonly losesSlowest?: boolean;
  /** Change of the logarithm of both arms from the first trial to the last. */
  readonly drift?: number;
  /** How much each trial's noise keeps of that of the trial before it (AR(1) in the order of the run). */
  readonly memory?: number;
  /** The same of what all trials of a block have in common, with a standard deviation of 0.1. */
  readonly blockMemory?: number;
  /** The same of what only the candidate's trials of a block have in common, with a standard deviation of 0.03. */
  readonly armMemory?: number;
  /** Values are multiples of so many ms: ties. */
  readonly gridMs?: number;
}

export interface Rates {
  readonly runs: number;
  /** Runs in which any primary comparison has the verdict. */
  readonly verdicts: Readonly<Record<Comparison['verdict'], number>>;
  /** Of primary comparisons with a plain 95 % interval: the share that holds the truth. */
  readonly coverage: number;
  /** The same of the interval that is shown, at the level of its look. */
  readonly shownCoverage: number;
  readonly intervals: number;
  /** Runs in which a verdict was withheld because of lost trials. */
  readonly vetoed: number;
  readonly meanBlocks: number;
  readonly meanTrials: number;
}

/** Where the trials of a cell are: at sites, or on the networks of an audience. */
function placesOf({ ratios, shares, blocks }: Cell): GeneratedRunOptions {
  if (shares === undefined)
    return { workloads: ratios.map((_, i) => ({ id: `page-${i}`, kind: 'page' as const })), blocks };
  return {
    workloads: [{ id: 'page-0', kind: 'page' }],
    networks: shares.map((_, i) => `audience-${i + 1}`),
    blocks,
  };
}

/** Its place among the ratios. */
const placeOf = ({ workload, network }: TrialRecord, { shares }: Cell): number =>
  shares === undefined
    ? Number(workload.slice('page-'.length))
    : Number(network.slice('audience-'.length)) - 1;

function planOf(cell: Cell): Plan {
  const { plan } = generateRun({
    ...placesOf(cell),
    plan: {
      pooled: { page: cell.pooled },
      ...(cell.shares === undefined ? {} : { audience: audienceFixture(cell.shares) }),
    },
  });
  return cell.sequential ? { ...plan, interims: plannedInterims(plan, cell.blocks) } : plan;
}

/** A stationary series of standard deviation one. */
function remembering(memory: number, random: SeededRandom): () => number {
  let last = gaussian(random);
  return () => (last = memory * last + Math.sqrt(1 - memory * memory) * gaussian(random));
}

const sharedSpread = 0.1;
const armSpread = 0.03;

/** What a trial's logarithm has beside site, arm and noise of its own. */
function disturbances(cell: Cell, random: SeededRandom, blocks: number, trials: number): Disturbance {
  const { drift = 0, blockMemory = 0, armMemory = 0 } = cell;
  const series = (memory: number, spread: number): number[] => {
    const next = remembering(memory, random);
    return Array.from({ length: blocks }, () => (memory === 0 ? 0 : spread * next()));
  };
  const shared = series(blockMemory, sharedSpread);
  const ofArm = series(armMemory, armSpread);
  return (block, candidate, index) =>
    (drift * index) / trials + (shared[block] ?? 0) + (candidate ? (ofArm[block] ?? 0) : 0);
}

type Disturbance = (block: number, candidate: boolean, index: number) => number;

const onGrid = (value: number, gridMs: number): number =>
  gridMs === 0 ? value : Math.max(gridMs, Math.round(value / gridMs) * gridMs);

function recordsOf(
  plan: Plan,
  templates: readonly TrialRecord[],
  cell: Cell,
  random: SeededRandom,
): TrialRecord[] {
  const { spread, memory = 0, gridMs = 0, lossShare = 0 } = cell;
  const candidates: number[] = [];
  const disturbance = disturbances(cell, random, cell.blocks, templates.length);
  const remembered = remembering(memory, random);
  const drawn = templates.map((record, index) => {
    const candidate = record.arm === plan.arms[1]?.label;
    const site = placeOf(record, cell);
    const centre = Math.log(500 * (site + 1)) + (candidate ? Math.log(cell.ratios[site] ?? 1) : 0);
    const error = memory === 0 ? drawNoise(cell.noise, random) : remembered();
    if (candidate) candidates.push(error);
    const own = (typeof spread === 'number' ? spread : (spread[site] ?? 0)) * error;
    const value = Math.exp(centre + own + disturbance(record.blockIndex, candidate, index));
    return { record, candidate, error, value: onGrid(value, gridMs) };
  });
  const slowest = candidates.sort((a, b) => b - a)[Math.floor(templates.length / 20)] ?? Infinity;
  return drawn.map(({ record, candidate, error, value }) => {
    const lost = cell.losesSlowest === true ? candidate && error > slowest : random.next() < lossShare;
    return lost
      ? { ...record, status: 'failed' as const, reason: 'lost', metrics: {} }
      : { ...record, metrics: { pltMs: value } };
  });
}

/** Runs a cell so many times. */
export function simulate(cell: Cell, runs: number, seed: number): Rates {
  const random = seededRandom(seed);
  const plan = planOf(cell);
  const { records: templates } = generateRun(placesOf(cell));
  const verdicts = { better: 0, worse: 0, equivalent: 0, mixed: 0, inconclusive: 0 };
  let covered = 0;
  let shownCovered = 0;
  let intervals = 0;
  let blocks = 0;
  let vetoed = 0;
  const shares = cell.shares ?? cell.ratios.map(() => 1 / cell.ratios.length);
  const mean = cell.ratios.reduce((sum, ratio, i) => sum + (shares[i] ?? 0) * Math.log(ratio), 0);
  for (let run = 0; run < runs; run++) {
    const records = recordsOf(plan, templates, cell, random);
    const judged = cell.sequential ? takeSequential(plan, records) : takeOnce(plan, records);
    blocks += judged.blocks;
    if (judged.primaries.some((one) => hasReason(one, 'unequal-losses'))) vetoed++;
    for (const verdict of new Set(judged.primaries.map((one) => one.verdict))) verdicts[verdict]++;
    for (const { ratioInterval, ratioInterval95, workload } of judged.primaries) {
      if (!ratioInterval95 || !ratioInterval) continue;
      const truth = workload === 'pooled' ? Math.exp(mean) : (cell.ratios[Number(workload.slice(5))] ?? 1);
      intervals++;
      const holds = ([low, high]: readonly [number, number]): boolean => low <= truth && truth <= high;
      if (holds(ratioInterval95)) covered++;
      if (holds(ratioInterval)) shownCovered++;
    }
  }
  const meanBlocks = blocks / runs;
  const meanTrials = (meanBlocks * templates.length) / cell.blocks;
  return {
    runs,
    verdicts,
    coverage: covered / Math.max(1, intervals),
    shownCoverage: shownCovered / Math.max(1, intervals),
    intervals,
    vetoed,
    meanBlocks,
    meanTrials,
  };
}

interface JudgedRun {
  readonly primaries: readonly Comparison[];
  readonly blocks: number;
}

function takeOnce(plan: Plan, records: readonly TrialRecord[]): JudgedRun {
  const { comparisons } = compareRun(
    plan,
    buildTrialTable(plan, records),
    comparisonRules(plan, { brief: true }),
  );
  return { primaries: comparisons.filter(({ primary }) => primary), blocks: plan.repetitions };
}

/** As a run does it: interim analysis after interim analysis, until everything is decided. */
function takeSequential(plan: Plan, records: readonly TrialRecord[]): JudgedRun {
  const { interims, primaries } = analyseInterims(plan, records, true, true);
  const decided = interims.find(({ open }) => open === 0);
  return { primaries: [...primaries.values()], blocks: decided?.blocks ?? plan.repetitions };
}

/** `3.2 % (1.8 to 5.1)`: a share with its 95 % Monte-Carlo interval. */
export function shareText(count: number, runs: number): string {
  const [low, high] = proportionInterval(count, runs, 0.95) ?? [0, 1];
  const percent = (share: number): string => (share * 100).toFixed(1);
  return `${percent(count / runs)} % (${percent(low)} to ${percent(high)})`;
}
