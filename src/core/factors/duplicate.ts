import { defineFactor } from './factor.ts';
import { shareForm } from './forms.ts';

/** Share of packets behind which a copy follows over the link, both ways. */
export const duplicate = defineFactor({
  id: 'duplicate',
  title: 'packets twice',
  example: '1%, 0.2%',
  unsetLabel: 'no packet twice',
  form: shareForm,
  honouredBy: ['link'],
  shape: ({ percent }, spec) => ({
    ...spec,
    up: { ...spec.up, duplicatePercent: percent },
    down: { ...spec.down, duplicatePercent: percent },
  }),
  setBy: 'emulator or netem',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});
