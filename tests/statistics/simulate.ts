import { buildTrialTable } from '../../src/analyse/comparison/trial-table.ts';
import { compareRun } from '../../src/analyse/comparison/compare-run.ts';
import { comparisonRules } from '../../src/analyse/comparison/comparison-rules.ts';
import { takeLooks } from '../../src/analyse/comparison/take-looks.ts';
import { plannedLooks } from '../../src/analyse/decidability.ts';
import { proportionInterval } from '../../src/analyse/statistics/proportion-interval.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { TrialRecord } from '../../src/model/record.ts';
import type { SeededRandom } from '../../src/model/seeded-random.ts';
import { seededRandom } from '../../src/model/seeded-random.ts';
import type { Comparison } from '../../src/model/summary.ts';
import { gaussian, generateRun } from '../support/generated-run.ts';

export type Noise = 'normal' | 'heavy' | 'outliers' | 'bimodal';

/** One cell of the table: a truth, a noise and a plan, simulated through the code that judges real runs. */
export interface Cell {
  readonly name: string;
  /** Truth of each site, as ratio of the candidate to the baseline. */
  readonly ratios: readonly number[];
  readonly noise: Noise;
  /** Standard deviation of a trial's logarithm. */
  readonly spread: number;
  readonly blocks: number;
  readonly pooled: boolean;
  readonly sequential: boolean;
  /** Share of trials lost at random. */
  readonly lossShare?: number;
  /** Whether the candidate loses its slowest tenth instead. */
  readonly losesSlowest?: boolean;
}

export interface Rates {
  readonly runs: number;
  /** Runs in which any primary comparison has the verdict. */
  readonly verdicts: Readonly<Record<Comparison['verdict'], number>>;
  /** Of primary comparisons with a plain 95 % interval: the share that holds the truth. */
  readonly coverage: number;
  readonly meanBlocks: number;
}

/** Draws of standard deviation one. */
function draw(noise: Noise, random: SeededRandom): number {
  const z = gaussian(random);
  if (noise === 'heavy') {
    const chi = gaussian(random) ** 2 + gaussian(random) ** 2 + gaussian(random) ** 2;
    return Math.max(-8, Math.min(8, z / Math.sqrt(chi / 3) / Math.sqrt(3)));
  }
  if (noise === 'outliers') return (random.next() < 0.05 ? 5 * z : z) / Math.sqrt(0.95 + 0.05 * 25);
  if (noise === 'bimodal') return ((random.next() < 0.3 ? 2 : -0.857) + 0.4 * z) / 1.37;
  return z;
}

function planOf(cell: Cell): Plan {
  const { plan } = generateRun({
    workloads: cell.ratios.map((_, i) => ({ id: `page-${i}`, kind: 'page' as const })),
    blocks: cell.blocks,
    plan: { pooled: { page: cell.pooled } },
  });
  return cell.sequential ? { ...plan, looks: plannedLooks(plan, cell.blocks) } : plan;
}

function recordsOf(
  plan: Plan,
  templates: readonly TrialRecord[],
  cell: Cell,
  random: SeededRandom,
): TrialRecord[] {
  const ofArm = plan.arms.map(() => [] as number[]);
  const drawn = templates.map((record) => {
    const candidate = record.arm === plan.arms[1]?.label;
    const site = Number(record.workload.slice(5));
    const centre = Math.log(500 * (site + 1)) + (candidate ? Math.log(cell.ratios[site] ?? 1) : 0);
    const error = draw(cell.noise, random);
    if (candidate) ofArm[1]?.push(error);
    return { record, candidate, error, value: Math.exp(centre + cell.spread * error) };
  });
  const slowest = ofArm[1]?.sort((a, b) => b - a)[Math.floor(templates.length / 20)] ?? Infinity;
  return drawn.map(({ record, candidate, error, value }) => {
    const lost =
      cell.losesSlowest === true ? candidate && error > slowest : random.next() < (cell.lossShare ?? 0);
    return lost
      ? { ...record, status: 'failed' as const, reason: 'lost', metrics: {} }
      : { ...record, metrics: { pltMs: value } };
  });
}

/** Runs a cell so many times. */
export function simulate(cell: Cell, runs: number, seed: number): Rates {
  const random = seededRandom(seed);
  const plan = planOf(cell);
  const { records: templates } = generateRun({
    workloads: cell.ratios.map((_, i) => ({ id: `page-${i}`, kind: 'page' as const })),
    blocks: cell.blocks,
  });
  const verdicts = { better: 0, worse: 0, equivalent: 0, mixed: 0, inconclusive: 0 };
  let [covered, intervals, blocks] = [0, 0, 0];
  const mean = cell.ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / cell.ratios.length;
  for (let run = 0; run < runs; run++) {
    const records = recordsOf(plan, templates, cell, random);
    const judged = cell.sequential ? takeSequential(plan, records) : takeOnce(plan, records);
    blocks += judged.blocks;
    for (const verdict of new Set(judged.primaries.map((one) => one.verdict))) verdicts[verdict]++;
    for (const { ratioInterval95, workload } of judged.primaries) {
      if (!ratioInterval95) continue;
      const truth = workload === 'pooled' ? Math.exp(mean) : (cell.ratios[Number(workload.slice(5))] ?? 1);
      intervals++;
      if (ratioInterval95[0] <= truth && truth <= ratioInterval95[1]) covered++;
    }
  }
  return { runs, verdicts, coverage: covered / Math.max(1, intervals), meanBlocks: blocks / runs };
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

/** As a run does it: look after look, until everything is decided. */
function takeSequential(plan: Plan, records: readonly TrialRecord[]): JudgedRun {
  const { looks, primaries } = takeLooks(plan, records, true, true);
  const decided = looks.find(({ open }) => open === 0);
  return { primaries: [...primaries.values()], blocks: decided?.blocks ?? plan.repetitions };
}

/** `3.2 % (1.8 to 5.1)`: a share with its 95 % Monte-Carlo interval. */
export function shareText(count: number, runs: number): string {
  const [low, high] = proportionInterval(count, runs, 0.95) ?? [0, 1];
  const percent = (share: number): string => (share * 100).toFixed(1);
  return `${percent(count / runs)} % (${percent(low)} to ${percent(high)})`;
}
