import { defineFactor } from './factor.ts';
import { inWords, oneOf } from './forms.ts';

/** Whether what a client says of priorities (RFC 9218) decides what is sent first. */
export const priorities = defineFactor({
  id: 'priorities',
  title: 'priorities',
  example: 'off, none, on',
  unsetLabel: 'priorities as server and client have them',
  form: inWords(
    'on or off (the server obeys them on both protocols, or on neither) or none (the client sends none)',
    oneOf('on', 'off', 'none'),
  ),
  honouredBy: ['server', 'client'],
  appliersOf: (value) => [value === 'none' ? 'client' : 'server'],
  unable: 'has no switch for priorities',
  setBy: 'a switch of `go`; preferences of Firefox (none)',
  provenBy: 'what `go` was started with; the server’s log (none)',
  readBack: 'testbed.server.obeysPriorities',
});
