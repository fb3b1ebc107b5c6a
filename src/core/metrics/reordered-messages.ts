import { overtakenCount } from './evidence/messages.ts';
import type { Metric } from './metric.ts';
import { amongMessages } from './rare-events.ts';

export const reorderedMessages: Metric = {
  name: 'reorderedMessages',
  title: 'messages overtaken',
  isPlural: true,
  meaning: 'Messages whose echo came after that of a message sent later.',
  source: 'RFC 4737, §3',
  unit: '',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  rareEvents: amongMessages('reorderedMessages', ['overtaken message', 'overtaken messages']),
  formulas: {
    messages: ({ session }) => overtakenCount(session),
  },
};
