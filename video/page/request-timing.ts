/** The entry of the request that was made at this time: an address has an entry for each request of it. Undefined: there is none. */
export function timingOfRequest<T extends { readonly startTime: number }>(
  entries: readonly T[],
  askedMs: number,
): T | undefined {
  const distanceMs = ({ startTime }: T): number => Math.abs(startTime - askedMs);
  return entries.toSorted((one, other) => distanceMs(one) - distanceMs(other))[0];
}
