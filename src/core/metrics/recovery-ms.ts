import type { Metric } from './metric.ts';

export const recoveryMs: Metric = {
  name: 'recoveryMs',
  title: 'time to recover from the loss of the address',
  meaning: 'From the loss of the client’s address to the first new byte of the body.',
  source: 'Liu et al. 2025, §4.3',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['download'],
  onDeadline: 'missing',
  formulas: {
    download: ({ streams }) => {
      const times = streams.flatMap(({ handover }) =>
        handover === undefined ? [] : [handover.recoveredMs - handover.lostMs],
      );
      return times.length === 0 ? undefined : Math.max(...times);
    },
  },
};
