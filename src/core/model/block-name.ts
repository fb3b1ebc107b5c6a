/**
 * A block as people know it: `block 3` of those that are judged, `recorded block 1` of those that are recorded, whose
 * indices lie behind the others. Where every block is recorded as well as judged, both have the same name.
 *
 * @param repetitions timed blocks of the plan
 */
export function blockName(blockIndex: number, repetitions: number): string {
  // Summaries of others may hold anything; a block without a number has no name of its own.
  if (!Number.isFinite(blockIndex) || !Number.isFinite(repetitions)) return 'a block';
  return blockIndex < repetitions
    ? `block ${blockIndex + 1}`
    : `recorded block ${blockIndex - repetitions + 1}`;
}
