import { defineFactor } from '../../../src/core/factors/factor.ts';
import { oneOf } from '../../../src/core/factors/forms.ts';

/** Of senders, that no server applies and nothing reads back. */
export const added = defineFactor({
  id: 'half',
  title: 'half a factor',
  example: 'on, off',
  form: oneOf('on', 'off'),
  appliedBy: ['sender'],
  setBy: 'nobody',
  provenBy: 'nobody',
  readBack: 'testbed.server.half',
});
