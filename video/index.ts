export { describeLadders } from './describe-ladders.ts';
export type { LadderDescription } from './describe-ladders.ts';
export { encodeLadder } from './encode-ladder.ts';
export type { EncodedLadder, EncodeLadderOptions, EncodePlan } from './encode-ladder.ts';
export { ownVideoWorkloads, videoWorkloadNamed, videoWorkloads } from './workloads.ts';
