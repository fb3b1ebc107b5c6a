import type { Metric } from './metric.ts';

export const appThinkMs: Metric = {
  name: 'appThinkMs',
  title: 'time waiting for the app',
  meaning: 'Time until the load event in which the app owed at least one answer, between our server and it.',
  unit: 'ms',
  form: 'ratio',
  margin: 0.05,
  higherIsBetter: false,
  kinds: ['page', 'journey'],
  onDeadline: 'missing',
  formulas: {
    app: ({ waits, untilEpochMs }) => {
      let sum = 0;
      let doneMs = 0;
      for (const { atEpochMs, thinkMs } of waits.toSorted((a, b) => a.atEpochMs - b.atEpochMs)) {
        const beginMs = Math.max(atEpochMs, doneMs);
        const endMs = Math.min(atEpochMs + thinkMs, untilEpochMs);
        sum += Math.max(0, endMs - beginMs);
        doneMs = Math.max(doneMs, endMs);
      }
      return sum;
    },
  },
};
