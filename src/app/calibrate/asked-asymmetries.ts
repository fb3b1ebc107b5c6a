import { ratioOfProtocols } from '../../../harness/bench/added-cost.ts';
import type { CalibrationRun } from '../../analyse/calibrate/calibrate-machine.ts';
import { askable, askedWords } from '../../analyse/comparison/overhead.ts';
import { locationTests } from '../../analyse/statistics/location-test.ts';
import type { InstrumentationAsymmetry } from '../../core/model/calibration.ts';
import type { AppContext } from '../app-context.ts';
import { bench } from '../bench/bench.ts';
import { formatDuration } from '../duration.ts';
import type { PlanFlags } from '../plan/plan-flags.ts';

/** Rounds of which an interval says something. */
const minRounds = 12;
/** A page with and without each, over both protocols, in one browser, on two quiet CPUs. */
const roundMs = 25_000;

/**
 * By how much more what a plan asks of the browser (`--header`, `--block`, `--deterministic`) slows HTTP/3 than HTTP/2, in the
 * browsers of these runs: over loopback, where no waiting hides it, so that it is the most that it makes elsewhere. The interval
 * is Student's of the mean of the logarithms.
 */
export async function askedAsymmetries(
  runs: readonly CalibrationRun[],
  { repetitions }: PlanFlags = {},
  context: AppContext,
): Promise<InstrumentationAsymmetry[]> {
  const clients = [...new Set(runs.flatMap(({ plan }) => plan.conditions.map(({ client }) => client)))];
  const rounds = Math.max(minRounds, Number(repetitions ?? minRounds));
  const about = formatDuration(rounds * clients.length * roundMs);
  context.progress.say(
    `what ${askable.map((of) => askedWords[of]).join(', ')} add to each protocol: ${rounds} rounds, about ${about}`,
  );
  const rows = await bench({ only: 'asked', clients, repetitions: rounds }, context);
  return clients.flatMap((client) =>
    askable.flatMap((of): InstrumentationAsymmetry[] => {
      const { samples = [] } =
        rows.find((row) => row.quantity === ratioOfProtocols && row.subject === `${client}: --${of}`) ?? {};
      if (samples.length < minRounds) return [];
      const { estimate, intervals } = locationTests.t.locate(samples, [0.9]);
      const [interval] = intervals;
      if (estimate === null || interval === null || interval === undefined) return [];
      const place = {
        workloadKind: 'page',
        client,
        network: 'loopback',
        baseline: 'h2',
        candidate: 'h3',
      } as const;
      const bound = Math.expm1(Math.max(-interval[0], interval[1]));
      return [{ of, ...place, ratio: Math.exp(estimate), bound, blocks: samples.length }];
    }),
  );
}
