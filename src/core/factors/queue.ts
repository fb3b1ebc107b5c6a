import { hasQueue, queueKinds, type QueueKind } from '../model/queue-kind.ts';
import { defineFactor } from './factor.ts';
import { inWords, oneOf } from './forms.ts';

const [dropTail, ...managed] = queueKinds;

/** What decides which packet leaves the queue of a link next, and which is dropped or marked. */
export const queue = defineFactor({
  id: 'queue',
  title: 'queue',
  example: 'fq-codel, droptail, codel, dualpi2',
  unsetLabel: 'the queue that the network has',
  form: inWords(
    'droptail, codel (RFC 8289), fq-codel (RFC 8290) or dualpi2 (RFC 9332)',
    oneOf(dropTail, ...managed),
  ),
  honouredBy: ['link'],
  shape: (kind: QueueKind, spec) => ({
    ...spec,
    up: { ...spec.up, ...(hasQueue(spec.up) ? { queue: kind } : {}) },
    down: { ...spec.down, ...(hasQueue(spec.down) ? { queue: kind } : {}) },
  }),
  unfit: (_, { up, down }) =>
    hasQueue(up) || hasQueue(down) ? undefined : 'it has no rate, so nothing waits in a queue',
  setBy: 'the emulator',
  provenBy: 'delay, fairness, drops and marks on the link',
  readBack: 'linkQueue.down',
});
