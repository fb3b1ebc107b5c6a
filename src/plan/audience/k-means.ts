import { seededRandom, type SeededRandom } from '../../core/model/seeded-random.ts';

/** A place on a plane, and how much lies there. */
export interface WeightedPoint {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

export interface Clusters {
  /** The cluster of each point, in the order of the points. */
  readonly assigned: readonly number[];
  /** Weighted sum of the squared distances of all points from the mean of their cluster. */
  readonly squares: number;
}

const restarts = 8;
const maxRounds = 100;

/**
 * Weighted k-means by Lloyd's algorithm (IEEE Trans. Inf. Theory 28, 1982), begun as k-means++ (Arthur & Vassilvitskii, SODA
 * 2007); the best of some beginnings. The same seed gives the same clusters.
 *
 * @param count clusters, at least one; of fewer places there are fewer
 */
export function kMeans(points: readonly WeightedPoint[], count: number, seed: number): Clusters {
  const random = seededRandom(seed);
  const tries = Array.from({ length: count === 1 ? 1 : restarts }, () => lloyd(points, count, random));
  return tries.reduce((best, one) => (one.squares < best.squares ? one : best));
}

type Centre = Pick<WeightedPoint, 'x' | 'y'>;

/** Squared. */
export const distance = (a: Centre, b: Centre): number => (a.x - b.x) ** 2 + (a.y - b.y) ** 2;

/** Each next centre is drawn by weight and squared distance from those there are. */
function firstCentres(points: readonly WeightedPoint[], count: number, random: SeededRandom): Centre[] {
  const centres: Centre[] = [];
  let nearest = points.map(() => 1);
  while (centres.length < count) {
    const chances = points.map(({ weight }, i) => weight * (nearest[i] as number));
    let left = random.next() * chances.reduce((sum, chance) => sum + chance, 0);
    const drawn = points.find((_, i) => (left -= chances[i] as number) < 0);
    if (drawn === undefined) break;
    centres.push({ x: drawn.x, y: drawn.y });
    nearest = points.map((point, i) =>
      Math.min(centres.length === 1 ? Infinity : (nearest[i] as number), distance(point, drawn)),
    );
  }
  return centres;
}

function lloyd(points: readonly WeightedPoint[], count: number, random: SeededRandom): Clusters {
  let centres = firstCentres(points, count, random);
  let assigned: number[] = [];
  for (let round = 0; round < maxRounds; round++) {
    const now = points.map((point) => nearestOf(point, centres));
    if (now.every((cluster, i) => cluster === assigned[i])) break;
    assigned = now;
    centres = centres.map((centre, cluster) => meanOf(points, assigned, cluster) ?? centre);
  }
  const squares = points.reduce(
    (sum, point, i) => sum + point.weight * distance(point, centres[assigned[i] as number] as Centre),
    0,
  );
  return { assigned, squares };
}

function nearestOf(point: Centre, centres: readonly Centre[]): number {
  const distances = centres.map((centre) => distance(point, centre));
  return distances.indexOf(Math.min(...distances));
}

function meanOf(
  points: readonly WeightedPoint[],
  assigned: readonly number[],
  cluster: number,
): Centre | undefined {
  let weight = 0;
  let x = 0;
  let y = 0;
  points.forEach((point, i) => {
    if (assigned[i] !== cluster) return;
    weight += point.weight;
    x += point.weight * point.x;
    y += point.weight * point.y;
  });
  return weight === 0 ? undefined : { x: x / weight, y: y / weight };
}
