import { defineFactor } from '../../../src/core/factors/factor.ts';
import { wholeNumberIn } from '../../../src/core/factors/forms.ts';

/** By how much the delay of the link varies either way, both ways. */
export const added = defineFactor({
  id: 'jitter',
  title: 'jitter',
  example: '2ms, 5ms',
  unsetLabel: 'jitter as the network has it',
  form: {
    words: 'a time such as 2ms',
    read: (text) => {
      const ms = wholeNumberIn(text, 'ms');
      return ms === undefined || ms < 1 || ms > 1000 ? undefined : { ms };
    },
    write: ({ ms }: { readonly ms: number }) => `${ms}ms`,
  },
  appliedBy: ['link'],
  shape: ({ ms }, spec) => ({
    ...spec,
    up: { ...spec.up, jitterMs: ms },
    down: { ...spec.down, jitterMs: ms },
  }),
  setBy: 'the emulator, or netem',
  provenBy: 'the check of the link before use',
  readBack: 'testbed.links.checksPassed',
});
