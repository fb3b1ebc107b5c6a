import type { Instrumentation } from '../../src/core/model/instrumentation.ts';
import type { WorkloadKind } from '../../src/core/model/workload.ts';
import type { Probe } from './probe.ts';
import { probes } from './registry.ts';

/**
 * Probes of one trial, by name. A list that names any of the usual ones names all that are wanted of them, any other
 * list wants all of them. What the proof rests on is recorded in any case. In a timed trial only what reads from outside
 * the client records.
 */
export function selectProbes(
  kind: WorkloadKind,
  asked: readonly string[],
  instrumentation: Instrumentation,
  all: readonly Probe[] = probes,
): readonly Probe[] {
  const named = all.some((probe) => probe.recorded !== 'asked' && asked.includes(probe.id));
  return all.filter(({ id, recorded, kinds, inTimed }) => {
    if (instrumentation === 'uninstrumented' && !inTimed) return false;
    if (kinds !== undefined && !kinds.includes(kind)) return false;
    if (recorded === 'always' || asked.includes(id)) return true;
    return recorded === 'usually' && !named;
  });
}

/** What a discarded trial records: nothing that takes a measurement of its own. */
export function selectWarmUpProbes(
  kind: WorkloadKind,
  asked: readonly string[],
  instrumentation: Instrumentation,
): readonly Probe[] {
  return selectProbes(kind, asked, instrumentation).filter(({ measuresAgain }) => measuresAgain !== true);
}

/** Those of the probes that a plan asks for by name that record in recorded blocks alone. */
export function askedForInstrumentation(asked: readonly string[]): readonly string[] {
  return probes
    .filter(({ id, recorded, inTimed }) => recorded === 'asked' && !inTimed && asked.includes(id))
    .map(({ id }) => id);
}

/** The probes of a diagnosis run, which are asked for together. */
export const diagnosisProbes: readonly string[] = probes
  .filter(({ forDiagnosis }) => forDiagnosis === true)
  .map(({ id }) => id);

/** The probes of a plan that names none. */
export const usualProbes: readonly string[] = probes
  .filter(({ recorded }) => recorded !== 'asked')
  .map(({ id }) => id);
