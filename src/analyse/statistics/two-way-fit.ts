/** One observed cell: the effect of one site in one block. */
export interface Cell {
  readonly site: number;
  readonly block: number;
  readonly value: number;
  /** What the site counts for among all sites; the same in each of its cells. Absent: one. */
  readonly weight?: number;
}

export interface TwoWayFit {
  /** Effect of each site, by its number: what it would be in a block of average kind. */
  readonly siteEffects: readonly number[];
  /** Cells of each site. */
  readonly siteCells: readonly number[];
  /** Blocks in ascending order with their values, each on the scale of the mean over all sites. */
  readonly blocks: readonly { readonly block: number; readonly value: number; readonly cells: number }[];
  readonly residuals: readonly Cell[];
  /** Cells less fitted effects. */
  readonly residualDegreesOfFreedom: number;
}

const maxRounds = 500;
/** Of the spread of the values: rounds that change less are the last. */
const tolerance = 1e-13;

/**
 * Fits value = site effect + block effect + rest by least squares on the cells that exist, so that a lost trial costs its
 * cell and nothing else: a site that misses slow blocks is not taken for fast. Solved by alternating means (the normal
 * equations of an unbalanced two-way table; Searle, Linear Models, 1971, §7.1), which is exact at once without lost cells.
 * The value of a block is the mean of all site effects plus the mean of (cell − its site effect) over its cells. With weights
 * both means are weighted, so that of a block without lost cells the value is the weighted sum of its cells.
 *
 * @param sites number of sites; each has a cell at least
 */
export function fitTwoWay(cells: readonly Cell[], sites: number): TwoWayFit {
  const blockNumbers = [...new Set(cells.map(({ block }) => block))].sort((a, b) => a - b);
  const indexOf = new Map(blockNumbers.map((block, index) => [block, index]));
  const inBlock = cells.map(({ block }) => indexOf.get(block) as number);
  const siteCells = countBy(
    cells.map(({ site }) => site),
    sites,
  );
  const blockCells = countBy(inBlock, blockNumbers.length);
  const blockWeights = weightBy(cells, inBlock, blockNumbers.length);
  const siteEffects = new Float64Array(sites);
  const blockEffects = new Float64Array(blockNumbers.length);
  const scale = Math.max(0, ...cells.map(({ value }) => Math.abs(value)));
  for (let round = 0; round < maxRounds; round++) {
    const before = Float64Array.from(siteEffects);
    blockEffects.fill(0);
    cells.forEach(({ site, value, weight = 1 }, i) => {
      const block = inBlock[i] as number;
      blockEffects[block] =
        (blockEffects[block] as number) + weight * value - weight * (before[site] as number);
    });
    blockWeights.forEach((weight, block) => (blockEffects[block] = (blockEffects[block] as number) / weight));
    const middle = blockEffects.reduce((sum, effect) => sum + effect, 0) / blockEffects.length;
    siteEffects.fill(0);
    cells.forEach(({ site, value }, i) => {
      const effect = (blockEffects[inBlock[i] as number] as number) - middle;
      siteEffects[site] = (siteEffects[site] as number) + value - effect;
    });
    siteCells.forEach((count, site) => (siteEffects[site] = (siteEffects[site] as number) / count));
    const change = siteEffects.reduce(
      (most, effect, s) => Math.max(most, Math.abs(effect - (before[s] as number))),
      0,
    );
    if (change <= tolerance * scale) break;
  }
  return finish(cells, inBlock, { blockNumbers, blockCells, blockWeights, siteCells, siteEffects });
}

interface Solved {
  readonly blockNumbers: readonly number[];
  readonly blockCells: readonly number[];
  readonly blockWeights: readonly number[];
  readonly siteCells: readonly number[];
  readonly siteEffects: Float64Array;
}

function finish(cells: readonly Cell[], inBlock: readonly number[], solved: Solved): TwoWayFit {
  const { blockNumbers, blockCells, blockWeights, siteCells, siteEffects } = solved;
  const weights = new Array<number>(siteEffects.length).fill(1);
  for (const { site, weight = 1 } of cells) weights[site] = weight;
  const overall =
    siteEffects.reduce((sum, effect, site) => sum + (weights[site] as number) * effect, 0) /
    weights.reduce((sum, weight) => sum + weight, 0);
  const deviations = new Float64Array(blockNumbers.length);
  cells.forEach(({ site, value, weight = 1 }, i) => {
    const block = inBlock[i] as number;
    deviations[block] =
      (deviations[block] as number) +
      (weight * (value - (siteEffects[site] as number))) / (blockWeights[block] as number);
  });
  return {
    siteEffects: [...siteEffects],
    siteCells,
    blocks: blockNumbers.map((block, i) => ({
      block,
      value: overall + (deviations[i] as number),
      cells: blockCells[i] as number,
    })),
    residuals: cells.map(({ site, block, value }, i) => ({
      site,
      block,
      value: value - (siteEffects[site] as number) - (deviations[inBlock[i] as number] as number),
    })),
    residualDegreesOfFreedom: Math.max(0, cells.length - siteEffects.length - blockNumbers.length + 1),
  };
}

function weightBy(cells: readonly Cell[], places: readonly number[], size: number): number[] {
  const weights = new Array<number>(size).fill(0);
  cells.forEach(({ weight = 1 }, i) => {
    const place = places[i] as number;
    weights[place] = (weights[place] as number) + weight;
  });
  return weights;
}

function countBy(places: readonly number[], size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const place of places) counts[place] = (counts[place] as number) + 1;
  return counts;
}
