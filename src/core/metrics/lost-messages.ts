import type { Metric } from './metric.ts';
import { amongMessages } from './rare-events.ts';

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
  rareEvents: amongMessages('lostMessages', ['lost message', 'lost messages']),
  formulas: {
    messages: ({ times }) => times.delaysMs.length - times.sortedMs.length,
  },
};
