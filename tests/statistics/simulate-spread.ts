import { deviations, pairedSpread } from '../../src/analyse/statistics/paired-spread.ts';
import { momentsOf, studentCdf, tInterval } from '../../src/analyse/statistics/student-t.ts';
import { doubledMidranks } from '../../src/analyse/statistics/ranks.ts';
import { seededRandom } from '../../src/core/model/seeded-random.ts';
import { gaussian } from '../support/generated-run.ts';
import { drawNoise, type Noise } from './noise.ts';

/** A truth for tests of spread. */
export interface SpreadCell {
  readonly noise: Noise;
  readonly blocks: number;
  /** Standard deviation of the candidate ÷ that of the baseline. */
  readonly ratio: number;
  /** Standard deviation of what a block does to both arms, in those of the baseline. */
  readonly shared: number;
}

interface Pair {
  readonly baseline: number;
  readonly candidate: number;
}

/** Two-sided p of no correlation. */
function correlationP(a: readonly number[], b: readonly number[]): number {
  const first = momentsOf(a);
  const second = momentsOf(b);
  const products = a.reduce(
    (sum, value, i) => sum + (value - first.mean) * ((b[i] as number) - second.mean),
    0,
  );
  const r = products / (a.length - 1) / Math.sqrt(first.variance * second.variance);
  const freedom = a.length - 2;
  const t = r * Math.sqrt(freedom / (1 - r * r));
  return 2 * studentCdf(-Math.abs(t), freedom);
}

const sums = (pairs: readonly Pair[]): number[] =>
  pairs.map(({ baseline, candidate }) => baseline + candidate);
const differences = (pairs: readonly Pair[]): number[] =>
  pairs.map(({ baseline, candidate }) => candidate - baseline);

/** The tests that could be taken, each by its two-sided p. The first is the one that is. */
export const spreadTests: Readonly<Record<string, (pairs: readonly Pair[]) => number>> = {
  'Sandvik and Olsson': (pairs) => pairedSpread(pairs)?.pValue ?? 1,
  /** Correlation of sum and difference (Pitman, Biometrika 31, 1939; Morgan, the same). */
  'Pitman and Morgan': (pairs) => correlationP(sums(pairs), differences(pairs)),
  /** The same of ranks (McCulloch, JASA 82, 1987). */
  McCulloch: (pairs) => correlationP(doubledMidranks(sums(pairs)), doubledMidranks(differences(pairs))),
  /** Deviations from the medians, by a paired t test: Brown and Forsythe (JASA 69, 1974) on blocks. */
  'Brown and Forsythe': (pairs) => {
    const before = deviations(pairs.map(({ baseline }) => baseline));
    const after = deviations(pairs.map(({ candidate }) => candidate));
    const moments = momentsOf(after.map((value, i) => value - (before[i] as number)));
    const reach = tInterval(moments, 0.95)[1] - moments.mean;
    if (reach === 0) return 1;
    const t = moments.mean / Math.sqrt(moments.variance / moments.n);
    return 2 * studentCdf(-Math.abs(t), moments.n - 1);
  },
};

/** How often each test says at 5 % that the arms vary unlike. */
export function simulateSpread(
  cell: SpreadCell,
  runs: number,
  seed: number,
): Readonly<Record<string, number>> {
  const random = seededRandom(seed);
  const found = Object.fromEntries(Object.keys(spreadTests).map((name) => [name, 0]));
  for (let run = 0; run < runs; run++) {
    const pairs = Array.from({ length: cell.blocks }, (): Pair => {
      const block = cell.shared * gaussian(random);
      const baseline = block + drawNoise(cell.noise, random);
      return { baseline, candidate: block + cell.ratio * drawNoise(cell.noise, random) };
    });
    for (const [name, test] of Object.entries(spreadTests))
      if (test(pairs) < 0.05) found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}
