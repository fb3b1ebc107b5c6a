import type { SeededRandom } from '../../core/model/seeded-random.ts';
import { drawNormal } from '../../core/model/seeded-random.ts';

export interface EDivisiveOptions {
  /** Fewest values between two changes. Default 3. */
  readonly smallestSegment?: number;
  /** Level of each permutation test. Default 0.01: many series are looked at every night. */
  readonly level?: number;
  /** Permutations of each test. Default 499. */
  readonly permutations?: number;
  readonly random: SeededRandom;
}

export interface Change {
  /** Index of the first value of the new level. */
  readonly index: number;
  readonly pValue: number;
}

interface Split {
  readonly index: number;
  readonly statistic: number;
}

/** Sums of |z_i − z_j| over rectangles in constant time. */
class DistanceSums {
  readonly #size: number;
  readonly #prefix: Float64Array;

  constructor(values: readonly number[]) {
    const size = values.length;
    const prefix = new Float64Array((size + 1) * (size + 1));
    for (let i = 0; i < size; i++) {
      let row = 0;
      for (let j = 0; j < size; j++) {
        row += Math.abs((values[i] as number) - (values[j] as number));
        prefix[(i + 1) * (size + 1) + j + 1] = (prefix[i * (size + 1) + j + 1] as number) + row;
      }
    }
    this.#size = size + 1;
    this.#prefix = prefix;
  }

  #at(i: number, j: number): number {
    return this.#prefix[i * this.#size + j] as number;
  }

  /** Over i in [a, b) and j in [c, d). */
  sum(a: number, b: number, c: number, d: number): number {
    return this.#at(b, d) - this.#at(a, d) - this.#at(b, c) + this.#at(a, c);
  }
}

/** The best split of one segment: (mn/(m+n)) · Ê(X, Y) over all split points and all ends of the second part. */
function bestSplit(values: readonly number[], smallest: number): Split | null {
  const sums = new DistanceSums(values);
  let best: Split | null = null;
  for (let split = smallest; split <= values.length - smallest; split++) {
    const withinFirst = sums.sum(0, split, 0, split) / (split * (split - 1));
    for (let end = split + smallest; end <= values.length; end++) {
      const count = end - split;
      const between = (2 * sums.sum(0, split, split, end)) / (split * count);
      const withinSecond = sums.sum(split, end, split, end) / (count * (count - 1));
      const statistic = ((split * count) / (split + count)) * (between - withinFirst - withinSecond);
      if (best === null || statistic > best.statistic) best = { index: split, statistic };
    }
  }
  return best;
}

function bestOfAll(
  segments: readonly (readonly number[])[],
  smallest: number,
): (Split & { segment: number }) | null {
  let best: (Split & { segment: number }) | null = null;
  for (const [segment, values] of segments.entries()) {
    const split = values.length >= 2 * smallest ? bestSplit(values, smallest) : null;
    if (split !== null && (best === null || split.statistic > best.statistic)) best = { ...split, segment };
  }
  return best;
}

function splitAt(
  segments: readonly (readonly number[])[],
  { segment: at, index }: Split & { readonly segment: number },
): (readonly number[])[] {
  return segments.flatMap((segment, i) =>
    i === at ? [segment.slice(0, index), segment.slice(index)] : [segment],
  );
}

/** A second split of at least this share of the first one's statistic is a step of its own, not memory. */
const hiddenShare = 0.7;

/** No series of nights is taken to remember more than this. */
const maxMemory = 0.9;

/**
 * How much of a night's deviation the next night keeps (first-order autocorrelation), from what is left when the level of
 * every segment is taken away; below zero too. Levels that were fitted bias it downwards, by about (1 + 3 φ) ÷ n for one
 * (Kendall, Biometrika 41, 1954) and more where the place of a step was chosen as well; (2.5 + 3 φ) ÷ n is added for each (`verify:statistics`).
 */
export function memoryOf(segments: readonly (readonly number[])[]): number {
  let products = 0;
  let squares = 0;
  let count = 0;
  for (const segment of segments) {
    const mean = segment.reduce((sum, value) => sum + value, 0) / segment.length;
    const left = segment.map((value) => value - mean);
    count += left.length;
    left.forEach((value, i) => {
      squares += value * value;
      if (i > 0) products += value * (left[i - 1] as number);
    });
  }
  if (squares === 0) return 0;
  const levels = segments.length;
  return (products / squares + (2.5 * levels) / count) / (1 - Math.min(0.75, (3 * levels) / count));
}

/** Of the variance of an estimated memory, so that a series that seems to remember all is not taken for certain to. */
const minVariance = 0.05;

/**
 * A memory that the nights may have, drawn from the error of its estimate: variance (1 − φ²) ÷ n (Bartlett, Supplement to the
 * JRSS 8, 1946). A single estimate taken for the truth makes chance look rarer than it is.
 */
function possibleMemory(memory: number, nights: number, random: SeededRandom): number {
  const error = Math.sqrt(Math.max(minVariance, 1 - Math.min(1, memory ** 2)) / nights);
  return Math.min(maxMemory, Math.max(0, memory + error * drawNormal(random)));
}

/**
 * The segment as it could have come in another order: what is new in each value is shuffled and the memory put back. Without
 * memory this is a plain permutation.
 */
function reordered(segment: readonly number[], memory: number, random: SeededRandom): number[] {
  if (memory === 0) return [...random.shuffle(segment)];
  const mean = segment.reduce((sum, value) => sum + value, 0) / segment.length;
  const settled = Math.sqrt(1 - memory * memory);
  const news = segment.map((value, i) =>
    i === 0 ? (value - mean) * settled : value - mean - memory * ((segment[i - 1] as number) - mean),
  );
  let last = 0;
  return random.shuffle(news).map((value, i) => {
    last = i === 0 ? value / settled : memory * last + value;
    return last;
  });
}

/**
 * Change points by E-divisive (Matteson & James, JASA 109, 2014): hierarchical bisection by the energy statistic
 * with exponent 1, each split tested by permuting within the segments found so far what is new in each value; p = (1 +
 * number of permutations that split at least as well) / (1 + permutations). Plain permutations would take the slow
 * wandering of a machine for changes.
 *
 * @returns changes in ascending order of index
 */
export function changePoints(values: readonly number[], options: EDivisiveOptions): Change[] {
  const { smallestSegment = 3, level = 0.01, permutations = 499, random } = options;
  const changes: Change[] = [];
  for (;;) {
    const starts = [0, ...changes.map(({ index }) => index), values.length];
    const segments = starts.slice(1).map((end, i) => values.slice(starts[i], end));
    const best = bestOfAll(segments, smallestSegment);
    if (best === null) return changes;
    const halves = splitAt(segments, best);
    const next = bestOfAll(halves, smallestSegment);
    // A step that splits about as well once this one is taken away, as of a regression that was fixed, is no memory.
    const hidden = next !== null && next.statistic >= hiddenShare * best.statistic;
    const memory = memoryOf(hidden ? splitAt(halves, next) : halves);
    let asGood = 0;
    for (let run = 0; run < permutations; run++) {
      const kept = possibleMemory(memory, values.length, random);
      const other = bestOfAll(
        segments.map((segment) => reordered(segment, kept, random)),
        smallestSegment,
      );
      if (other !== null && other.statistic >= best.statistic) asGood++;
    }
    const pValue = (1 + asGood) / (1 + permutations);
    if (pValue > level) return changes;
    changes.push({ index: (starts[best.segment] ?? 0) + best.index, pValue });
    changes.sort((a, b) => a.index - b.index);
  }
}
