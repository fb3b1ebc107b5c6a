/** CPU seconds ÷ wall seconds × 100: of one core, so that more than 100 is possible; null without wall time. */
export function percentOfWall(cpuSeconds: number, wallMs: number): number | null {
  return wallMs > 0 ? (cpuSeconds / (wallMs / 1000)) * 100 : null;
}
