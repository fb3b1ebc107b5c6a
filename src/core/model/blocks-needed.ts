/** Estimates of more blocks than this say nothing useful. */
export const maxBlocksNeeded = 200;

/**
 * Range in which the number of blocks lies that decides with 80 % power; null beyond `maxBlocksNeeded`, and a high end
 * of that number means as many or more.
 */
export type BlocksNeeded = readonly [low: number, high: number] | null;

/**
 * How many blocks a decision takes, in a sentence: `18 to 40 blocks`, `about 24 blocks`, `more than 200 blocks`; where the
 * range has no end, that so few blocks cannot tell.
 *
 * @param blocks how many were run
 */
export function blocksNeededSentence(needed: BlocksNeeded, blocks: number): string {
  const takes = (words: string): string => `A decision may need ${words}`;
  if (needed === null) return `${takes(`more than ${Math.max(blocks, maxBlocksNeeded)} blocks`)}.`;
  const [low, high] = needed;
  if (high >= maxBlocksNeeded)
    return `${takes(`between ${low} and more than ${maxBlocksNeeded} blocks`)}. ${blocks} are too few to say.`;
  return `${takes(low === high ? `about ${low} blocks` : `${low} to ${high} blocks`)}.`;
}
