import { defineFactor } from '../../../src/factors/factor.ts';
import { wholeNumberIn } from '../../../src/factors/forms.ts';

/** Share of packets that skip the delay and so overtake others, both ways. */
export const added = defineFactor({
  id: 'reorder',
  title: 'reordered packets',
  example: '2%, 5%',
  whenOpen: 'reordering as the network has it',
  form: {
    words: 'a share of the packets such as 2%',
    read: (text) => {
      const percent = wholeNumberIn(text, '%');
      return percent === undefined || percent < 1 || percent > 100 ? undefined : { percent };
    },
    write: ({ percent }: { readonly percent: number }) => `${percent}%`,
  },
  honouredBy: ['link'],
  shape: ({ percent }, spec) => ({
    ...spec,
    up: { ...spec.up, reorderPercent: percent },
    down: { ...spec.down, reorderPercent: percent },
  }),
  setBy: 'the emulator, or netem',
  provenBy: 'the check of the link before use',
  readBack: 'testbed.links.checksPassed',
});
