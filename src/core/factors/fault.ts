import { defineFactor } from './factor.ts';
import { anyText } from './forms.ts';

export const fault = defineFactor({
  id: 'fault',
  title: 'injected fault',
  example: 'delay=+50ms, loss=+1%',
  form: anyText,
  freeText: true,
  ownField: 'inject',
  honouredBy: ['run'],
  setBy: 'a link that is worse by so much',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});
