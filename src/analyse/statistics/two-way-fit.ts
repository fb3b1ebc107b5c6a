/** One observed cell: the effect of one site in one block. */
export interface Cell {
  readonly site: number;
  readonly block: number;
  readonly value: number;
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
 * The value of a block is the mean of all site effects plus the mean of (cell − its site effect) over its cells.
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
  const siteEffects = new Float64Array(sites);
  const blockEffects = new Float64Array(blockNumbers.length);
  const scale = Math.max(0, ...cells.map(({ value }) => Math.abs(value)));
  for (let round = 0; round < maxRounds; round++) {
    const before = Float64Array.from(siteEffects);
    blockEffects.fill(0);
    cells.forEach(({ site, value }, i) => {
      const block = inBlock[i] as number;
      blockEffects[block] = (blockEffects[block] as number) + value - (before[site] as number);
    });
    blockCells.forEach((count, block) => (blockEffects[block] = (blockEffects[block] as number) / count));
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
  return finish(cells, inBlock, { blockNumbers, blockCells, siteCells, siteEffects });
}

interface Solved {
  readonly blockNumbers: readonly number[];
  readonly blockCells: readonly number[];
  readonly siteCells: readonly number[];
  readonly siteEffects: Float64Array;
}

function finish(cells: readonly Cell[], inBlock: readonly number[], solved: Solved): TwoWayFit {
  const { blockNumbers, blockCells, siteCells, siteEffects } = solved;
  const overall = siteEffects.reduce((sum, effect) => sum + effect, 0) / siteEffects.length;
  const deviations = new Float64Array(blockNumbers.length);
  cells.forEach(({ site, value }, i) => {
    const block = inBlock[i] as number;
    deviations[block] =
      (deviations[block] as number) + (value - (siteEffects[site] as number)) / (blockCells[block] as number);
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

function countBy(places: readonly number[], size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const place of places) counts[place] = (counts[place] as number) + 1;
  return counts;
}
