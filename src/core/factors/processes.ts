import { defineFactor } from './factor.ts';
import { inWords, oneOf } from './forms.ts';

/** Each request is made by a process of its own. */
export const processes = defineFactor({
  id: 'processes',
  title: 'a process for',
  example: 'each',
  unsetLabel: 'one process for all requests',
  form: inWords('each (left out: one for all requests)', oneOf('each')),
  honouredBy: ['client'],
  setBy: 'command-line clients: a process for each request',
  provenBy: 'every request in the server’s log',
  readBack: 'serverLog.path',
});
