import { defineFactor } from './factor.ts';
import { shareForm } from './forms.ts';

/** Share of packets that skip the delay of a link and so overtake others, both ways. */
export const reorder = defineFactor({
  id: 'reorder',
  title: 'reordered packets',
  example: '2%, 0.5%',
  unsetLabel: 'reordering as the network has it',
  form: shareForm,
  honouredBy: ['link'],
  shape: ({ percent }, spec) => ({
    ...spec,
    up: { ...spec.up, reorderPercent: percent },
    down: { ...spec.down, reorderPercent: percent },
  }),
  unfit: (_, { up, down }) =>
    up.delayMs > 0 && down.delayMs > 0 ? undefined : 'it has no delay that packets could skip',
  setBy: 'emulator or netem',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});
