/** The number of a frame stands in the top row of its picture: square blocks side by side, white for 1, the highest bit first. */
export const numberBits = 16;

/** Between black (16) and white (235) of a decoded picture. */
const whiteFrom = 128;

/**
 * The number that a row of pixels says, one pixel a block; 0 where there is no picture yet.
 *
 * @param pixels red, green, blue and opacity of each
 */
export function frameNumberIn(pixels: ArrayLike<number>): number {
  let number = 0;
  for (let bit = 0; bit < numberBits; bit += 1)
    number = number * 2 + ((pixels[bit * 4] ?? 0) >= whiteFrom ? 1 : 0);
  return number;
}
