import type { ArmProtocol } from './protocol.ts';

/**
 * What is set for a trial, by the names of factors, as people write it. An arm sets some, the condition the others.
 * Which factors there are, and what their values mean, src/core/factors says.
 */
export interface Factors {
  readonly protocol?: ArmProtocol | undefined;
  readonly client?: string | undefined;
  readonly network?: string | undefined;
  readonly server?: string | undefined;
  readonly [name: string]: string | undefined;
}

/** The value of a condition's factor where the arms set it. */
export const byArm = 'by-arm';

/** Whether something measured with `value` belongs to a condition that says `wanted`. */
export function fitsCondition(wanted: string, value: string): boolean {
  return wanted === byArm || wanted === value;
}
