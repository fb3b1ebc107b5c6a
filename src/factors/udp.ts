import { defineFactor } from './factor.ts';
import { oneOf } from './forms.ts';

/** Whether UDP from the server comes through while the workload is loaded. */
export const udp = defineFactor({
  id: 'udp',
  title: 'UDP',
  example: 'blocked, open',
  whenOpen: 'UDP open',
  form: oneOf('open', 'blocked'),
  honouredBy: ['client'],
  needsOwnLink: true,
  setBy: 'a rule in the client’s namespace drops what comes over UDP',
  provenBy: 'the rule is read back; which protocol each object came over',
  readBack: 'udp',
});
