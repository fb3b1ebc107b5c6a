import type { Metric } from './metric.ts';

export const lostMessages: Metric = {
  name: 'lostMessages',
  title: 'messages lost',
  isPlural: true,
  meaning: 'Messages whose echo never came. Only datagrams may lose any.',
  unit: '',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  formulas: {
    messages: ({ times }) => times.delaysMs.length - times.sortedMs.length,
  },
};
