import { defineFactor } from './factor.ts';
import { namesByHop } from './forms.ts';

/** Proxies between client and server, from the client on. */
export const proxy = defineFactor({
  id: 'proxy',
  title: 'proxy',
  example: 'envoy, envoy-h3',
  preposition: 'through',
  form: namesByHop,
  honouredBy: ['run'],
  setBy: 'a proxy between client and server',
  provenBy: 'the logs of both',
  readBack: 'testbed.proxies.version',
});
