/** Geometric mean of values above zero. @throws RangeError for an empty sample or a value not above zero. */
export function geometricMean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('the geometric mean of an empty sample is not defined');
  let logSum = 0;
  for (const value of values) {
    if (!(value > 0)) throw new RangeError(`the geometric mean needs values above zero, got ${value}`);
    logSum += Math.log(value);
  }
  return Math.exp(logSum / values.length);
}
