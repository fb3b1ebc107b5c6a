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

/** Where a trial belongs. */
export interface ConditionNames {
  readonly workload: string;
  readonly client: string;
  readonly network: string;
  readonly server: string;
}

/** A condition, as far as it is known. */
type KnownCondition = Pick<ConditionNames, 'workload'> & {
  readonly [Name in Exclude<keyof ConditionNames, 'workload'>]?: string | undefined;
};

/** Whether a trial is one of a condition; what the condition leaves open fits every trial. */
export function isOfCondition(
  { workload, client = byArm, network = byArm, server = byArm }: KnownCondition,
  trial: ConditionNames,
): boolean {
  return (
    trial.workload === workload &&
    fitsCondition(client, trial.client) &&
    fitsCondition(network, trial.network) &&
    fitsCondition(server, trial.server)
  );
}
