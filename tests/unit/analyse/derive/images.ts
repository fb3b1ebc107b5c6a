import jpeg from 'jpeg-js';

export type Colour = readonly [red: number, green: number, blue: number];

/** A JPEG whose upper rows are filled with a colour and whose other rows are white. */
export function filledImage(
  width: number,
  height: number,
  filledRows: number,
  colour: Colour = [0, 0, 0],
): Uint8Array {
  const data = Buffer.alloc(width * height * 4, 255);
  for (let pixel = 0; pixel < width * filledRows; pixel++) {
    const [red, green, blue] = colour;
    data[pixel * 4] = red;
    data[pixel * 4 + 1] = green;
    data[pixel * 4 + 2] = blue;
  }
  return jpeg.encode({ data, width, height }, 100).data;
}
