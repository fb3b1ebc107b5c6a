import { grouped } from '../../core/model/rounding.ts';
import type { Summary } from '../../core/model/summary.ts';
import { counted } from '../figures/figures.ts';

type PathCounters = NonNullable<Summary['pathCounters']>;
export type OneSided = NonNullable<Summary['oneSided']>[number];

/** Losses beyond those set: what each counter means, and whose doing it is. */
const unwantedLosses: Readonly<Record<string, { readonly what: string; readonly cause: string }>> = {
  UdpRcvbufErrors: {
    what: 'datagrams were lost because a receive buffer was full',
    cause:
      'The path did not drop them. Browser or server did not read its socket in time: this machine was too slow, not the protocol. They need not explain the result (docs/networks.md)',
  },
  interfaceDrops: {
    what: 'packets were dropped by a network device of this machine',
    cause: 'This machine dropped them, not the protocol',
  },
  softnetDrops: {
    what: 'packets were dropped by the kernel’s backlog',
    cause: 'This machine dropped them, not the protocol',
  },
  emulatorUpLate2ms: {
    what: 'packets left the emulated path to the server more than 2 ms late',
    cause: 'This machine was too busy to release them in time',
  },
  emulatorDownLate2ms: {
    what: 'packets left the emulated path to the client more than 2 ms late',
    cause: 'This machine was too busy to release them in time',
  },
  emulatorUpOverruns: {
    what: 'packets were lost in the emulator on the way to the server',
    cause: 'This machine dropped them, not the protocol',
  },
  emulatorDownOverruns: {
    what: 'packets were lost in the emulator on the way to the client',
    cause: 'This machine dropped them, not the protocol',
  },
};

/** So many losses a trial are worth a sentence. */
const minPerTrial = 1;
/** The arm that has them has so many times as many a trial as the other. */
const minFactor = 5;

/** Losses beyond those set that one arm alone, or nearly alone, has: a possible cause of its results. */
export function oneSidedLosses(counters: PathCounters, nameOf: (arm: string) => string): OneSided[] {
  const byNetwork = Map.groupBy(counters, ({ network }) => network);
  return [...byNetwork].flatMap(([network, rows]) =>
    Object.entries(unwantedLosses).flatMap(([counter, { what, cause }]): OneSided[] => {
      const rates = rows
        .filter(({ trials }) => trials > 0)
        .map(({ arm, trials, counters: all }) => ({
          arm,
          trials,
          count: all[counter] ?? 0,
          perTrial: (all[counter] ?? 0) / trials,
        }))
        .sort((a, b) => b.perTrial - a.perTrial);
      const [most, ...others] = rates;
      if (most === undefined || others.length === 0 || most.perTrial < minPerTrial) return [];
      const rest = others.filter(({ perTrial }) => perTrial * minFactor < most.perTrial);
      if (rest.length === 0) return [];
      const otherWords = rest.map(({ arm, count }) => `${grouped(count.toFixed(0))} over ${nameOf(arm)}`);
      const sentence = `Over ${nameOf(most.arm)} ${grouped(most.count.toFixed(0))} ${what} in ${counted(most.trials, 'trial')} (${counter}), ${otherWords.join(', ')}. ${cause}.`;
      return [{ network, arm: most.arm, counter, sentence }];
    }),
  );
}
