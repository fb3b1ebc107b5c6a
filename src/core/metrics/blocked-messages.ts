import { heldMessages } from './evidence/messages.ts';
import type { Metric } from './metric.ts';
import { amongMessages } from './rare-events.ts';

export const blockedMessages: Metric = {
  name: 'blockedMessages',
  title: 'messages behind another',
  isPlural: true,
  meaning:
    'Late messages that came with an earlier one that was later still: head-of-line blocking, or a pause of the machine.',
  unit: '',
  form: 'difference',
  margin: 0.5,
  higherIsBetter: false,
  kinds: ['messages'],
  onDeadline: 'missing',
  rareEvents: amongMessages('blockedMessages', ['message behind another', 'messages behind another']),
  formulas: {
    messages: ({ session }) => heldMessages(session).filter((held) => held === 'behind').length,
  },
};
