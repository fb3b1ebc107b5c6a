import { claimDigest } from '../../src/analyse/studies/claim-digest.ts';
import { metricsOfKind } from '../../src/core/metrics/registry.ts';
import { instrumentationOf } from '../../src/core/metrics/metric.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { deriveSeed, seededRandom } from '../../src/core/model/seeded-random.ts';
import type { StudyCell, StudyRun } from '../../src/core/model/study-run.ts';
import type { Instrumentation } from '../../src/core/model/instrumentation.ts';
import { gaussian } from './generated-run.ts';

export interface PlannedRunOptions {
  /** A value instead of the usual one; undefined: the trial left none. */
  readonly value?: (cell: StudyCell, metric: string, block: number) => number | null | undefined;
  readonly blocks?: number;
}

const usual = 100;
const noise = 0.02;

/** What would be kept of a run of a plan, with made-up values: every metric of every arm in every condition. */
export function plannedStudyRun(
  { name, scale, arms, conditions, workloads, trials, published = [] }: Plan,
  { value = () => undefined, blocks = 8 }: PlannedRunOptions = {},
): StudyRun {
  const cellOf = (
    place: Plan['conditions'][number],
    arm: string,
    instrumentation: Instrumentation,
  ): StudyCell => {
    const { workload, client, network, server } = place;
    const where = { workload, client, network, server };
    const kind = workloads.find(({ id }) => id === place.workload)?.kind ?? 'download';
    const indices = Array.from({ length: blocks }, (_each, block) => block);
    const cell: StudyCell = { ...where, kind, arm, instrumentation, blocks: indices, metrics: {} };
    for (const { name: metric } of metricsOfKind(kind).filter(
      (each) => instrumentationOf(each) === instrumentation,
    )) {
      const random = seededRandom(deriveSeed(1, JSON.stringify([where, arm]), metric.length));
      cell.metrics[metric] = indices.map((block) => {
        const given = value(cell, metric, block);
        return given === undefined ? usual * Math.exp(noise * gaussian(random)) : given;
      });
    }
    return cell;
  };
  return {
    schemaVersion: 1,
    preset: name,
    scale: scale ?? null,
    claims: published.map((claim) => claimDigest(claim)),
    revision: 'abc123',
    startedAt: '2026-01-01T00:00:00Z',
    trialsOk: trials.length,
    trialsPlanned: trials.length,
    trialsDone: trials.length,
    exploratory: false,
    disturbances: [],
    timed: true,
    blocks,
    spanMs: 60_000,
    clients: ['Chromium 156'],
    machine: 'a machine of tests',
    names: { workloads: {}, clients: {}, networks: {}, servers: {} },
    arms: arms.map(({ label }) => label),
    cells: conditions.flatMap((place) =>
      arms.flatMap(({ label }) =>
        (['uninstrumented', 'instrumented'] as const).map((instrumentation) =>
          cellOf(place, label, instrumentation),
        ),
      ),
    ),
    instrumentationOverhead: [],
  };
}
