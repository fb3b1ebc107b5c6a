import { meanLoadedRtt } from './evidence/sojourns.ts';
import type { Metric } from './metric.ts';

const msPerMinute = 60_000;

export const responsivenessRpm: Metric = {
  name: 'responsivenessRpm',
  title: 'responsiveness',
  meaning: 'Round trips in a minute at the mean round trip under load, of the link alone.',
  source: 'draft-ietf-ippm-responsiveness (unit)',
  unit: 'RPM',
  form: 'ratio',
  margin: 0.1,
  higherIsBetter: true,
  kinds: ['page', 'journey', 'video', 'download', 'upload'],
  onDeadline: 'missing',
  formulas: {
    queue: (queue) => {
      const meanMs = meanLoadedRtt(queue);
      return meanMs > 0 ? msPerMinute / meanMs : undefined;
    },
  },
};
