import { decode } from 'jpeg-js';

/** Of 255: less than this of a colour's three parts is the noise of JPEG. */
const minDifference = 32;

/** Share of the pixels in which two JPEG pictures differ visibly; 1 where their sizes differ. */
export function differingShare(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [one, other].map((jpeg) => decode(jpeg, { useTArray: true }));
  if (a === undefined || b === undefined || a.width !== b.width || a.height !== b.height) return 1;
  let differing = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const differs = [0, 1, 2].some(
      (part) => Math.abs((a.data[at + part] ?? 0) - (b.data[at + part] ?? 0)) >= minDifference,
    );
    if (differs) differing += 1;
  }
  return differing / (a.width * a.height);
}
