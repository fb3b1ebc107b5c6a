export { describeLadders } from './describe-ladders.ts';
export type { LadderDescription } from './describe-ladders.ts';
export { videoWorkloads } from './workloads.ts';
