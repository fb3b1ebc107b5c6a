/** Name under which a step of a journey is compared, as a workload of its own. */
export function stepWorkload(workload: string, step: string): string {
  return `${workload}:${step}`;
}
