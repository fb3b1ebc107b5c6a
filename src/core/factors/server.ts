import { defineFactor } from './factor.ts';
import { anyText } from './forms.ts';

/** A version of a server in words: `nginx@1.30` is nginx 1.30; a name without one stands for itself. */
const serverName = (id: string): string => id.replace('@', ' ');

export const server = defineFactor({
  id: 'server',
  title: 'server',
  example: 'caddy, nginx, nginx@1.30',
  preposition: 'from',
  words: serverName,
  form: anyText,
  ownField: 'servers',
  honouredBy: ['run'],
  setBy: 'another origin',
  provenBy: 'the name and version that answered',
  readBack: 'testbed.server.version',
});
