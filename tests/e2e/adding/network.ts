import { networkSpecSchema, type NetworkSpec } from '../../../src/core/model/network-spec.ts';

const direction = { rateMbps: 2, queueBytes: 40_000, delayMs: 300 };

export const added: readonly NetworkSpec[] = [
  networkSpecSchema.parse({
    id: 'added-network',
    title: 'a satellite',
    source: 'a test',
    up: direction,
    down: direction,
  }),
];
