import { probes as allProbes } from '../../../harness/probes/registry.ts';
import type { Probe } from '../../../harness/probes/probe.ts';
import { H2h3Error } from '../../model/errors.ts';
import { metricDefinition } from '../../model/metric-catalogue.ts';
import type { Plan } from '../../model/plan.ts';

/** Units of what a probe makes longer or slower; counts of packets and calls it leaves alone. */
const timeUnits: readonly string[] = ['ms', 's', 'Mbit/s', 'kbit/s'];

/**
 * Refuses probes that slow a trial down where the times of these trials are to be judged.
 *
 * @throws H2h3Error `usage` with the ways to have both
 */
export function requireJudgeableProbes(
  { probes, primary, workloads, exploratory }: Plan,
  all: readonly Probe[] = allProbes,
): void {
  if (exploratory) return;
  const slow = all.filter(({ id, slows }) => slows === true && probes.includes(id)).map(({ id }) => id);
  const judged = [...new Set(workloads.flatMap(({ kind }) => primary[kind] ?? []))];
  const times = judged.filter((name) => timeUnits.includes(metricDefinition(name)?.unit ?? ''));
  if (slow.length === 0 || times.length === 0) return;
  const recorded = all.filter(({ slows, forDiagnosis }) => slows === true && forDiagnosis === true);
  throw new H2h3Error(
    'usage',
    `${times.join(' and ')} would be judged in trials with the ${slow.length === 1 ? 'probe' : 'probes'} ${slow.join(', ')}: that such a probe costs less than 3 % is not shown`,
    {
      next: `--diagnose records ${recorded.map(({ id }) => id).join(', ')} in blocks of their own, which are not judged; --exploratory records any and establishes nothing.`,
    },
  );
}
