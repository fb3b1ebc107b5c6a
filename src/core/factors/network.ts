import { defineFactor } from './factor.ts';
import { namesByHop } from './forms.ts';

/** Of each link, from the client on. */
export const network = defineFactor({
  id: 'network',
  title: 'network',
  example: '4g, cable',
  preposition: 'on',
  form: namesByHop,
  ownField: 'networks',
  honouredBy: ['run'],
  setBy: 'another link',
  provenBy: 'the link’s check',
  readBack: 'testbed.links.checksPassed',
});
