/** Pictures of a strip. */
const pictures = 6;

/**
 * The moments of a strip of pictures: at equal steps from the first paint of any arm to the end of the common time. What
 * comes before the first paint is blank in all arms.
 */
export function stripMoments(firstPaintMs: number, endMs: number): number[] {
  const startMs = Math.min(firstPaintMs, endMs);
  return Array.from({ length: pictures }, (_, i) => startMs + ((endMs - startMs) * i) / (pictures - 1));
}
