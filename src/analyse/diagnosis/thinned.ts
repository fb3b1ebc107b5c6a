/** A time line is a few hundred pixels wide. */
const mostSamples = 240;

/** Samples evenly over the whole time, the first and the last among them; all where there are few. */
export function thinned<T>(samples: readonly T[]): T[] {
  if (samples.length <= mostSamples) return [...samples];
  const step = (samples.length - 1) / (mostSamples - 1);
  return Array.from({ length: mostSamples }, (_, index) => samples[Math.round(index * step)]).filter(
    (sample) => sample !== undefined,
  );
}
