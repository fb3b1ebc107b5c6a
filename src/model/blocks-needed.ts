/** Estimates of more blocks than this say nothing useful. */
export const mostBlocksNeeded = 200;

/**
 * Range in which the number of blocks lies that decides with 80 % power; null beyond `mostBlocksNeeded`, and a high end
 * of that number means as many or more.
 */
export type BlocksNeeded = readonly [low: number, high: number] | null;

/** `about 24 blocks`, `18 to 40 blocks`, `60 blocks or more`, `more than 200 blocks`; summaries of earlier versions have one number. */
export function blocksNeededWords(needed: BlocksNeeded | number): string {
  if (needed === null) return `more than ${mostBlocksNeeded} blocks`;
  const [low, high] = typeof needed === 'number' ? [needed, needed] : needed;
  if (high >= mostBlocksNeeded) return `${low} blocks or more`;
  return low === high ? `about ${low} blocks` : `${low} to ${high} blocks`;
}
