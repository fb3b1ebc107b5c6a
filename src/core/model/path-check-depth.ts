/**
 * How much of a path is measured before it is used. `full`: round trip, loss, order, rate by UDP and TCP, and managed queues, in
 * about ten seconds. `quick`: round trip, delay, loss, order and rate by UDP, in about one.
 */
export const pathCheckDepths = ['full', 'quick'] as const;
export type PathCheckDepth = (typeof pathCheckDepths)[number];
