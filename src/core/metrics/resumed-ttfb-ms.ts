import type { Metric } from './metric.ts';

export const resumedTtfbMs: Metric = {
  name: 'resumedTtfbMs',
  title: 'time to first byte over a resumed connection',
  meaning: 'Start of a connection that resumes a session to the first byte of the answer.',
  source: 'Kakhki et al. 2017, §5.2',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['download'],
  onDeadline: 'missing',
  formulas: {
    download: ({ streams }) => {
      const times = streams.flatMap(({ resumption, connectStartMs, responseStartMs }) =>
        resumption?.resumed === true ? [responseStartMs - connectStartMs] : [],
      );
      return times.length === 0 ? undefined : Math.max(...times);
    },
  },
};
