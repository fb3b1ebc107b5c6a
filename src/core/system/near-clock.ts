/** Of programs behind a server on another machine: by how much its clock is ahead of the client's, ms. Absent: both have one clock. */
export const clockAheadVariable = 'H2H3_CLOCK_AHEAD_MS';

/** Epoch ms by the client's clock, as far as the difference is known. */
export function nearNow(environment: NodeJS.ProcessEnv = process.env): number {
  const aheadMs = Number(environment[clockAheadVariable] ?? 0);
  return Date.now() - (Number.isFinite(aheadMs) ? aheadMs : 0);
}
