import type { Metric } from './metric.ts';

export const resumedTtfbMs: Metric = {
  name: 'resumedTtfbMs',
  title: 'time to first byte over a resumed connection',
  meaning:
    'From the start of a connection that resumes an earlier session to the first byte of the answer. With 0-RTT the request is sent with the first packet.',
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
