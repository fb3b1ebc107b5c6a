import { defineFactor } from './factor.ts';
import { inWords, oneOf } from './forms.ts';

export type DiscoveryWay = 'forced' | 'alt-svc' | 'https-record';

const ways: Readonly<Record<DiscoveryWay, string>> = {
  forced: 'HTTP/3 forced',
  'alt-svc': 'HTTP/3 found by Alt-Svc',
  'https-record': 'HTTP/3 found by an HTTPS record',
};

/** How a client comes to HTTP/3: it is made to use it, or finds out as users' clients do. */
export const discovery = defineFactor({
  id: 'discovery',
  title: 'discovery of HTTP/3 by',
  example: 'https-record, alt-svc, forced',
  unsetLabel: 'no resolver of ours',
  words: (text) => ways[text as DiscoveryWay],
  form: inWords(
    'forced (by protocol=h3), alt-svc (names with addresses alone) or https-record (and an HTTPS record for each)',
    oneOf('forced', 'alt-svc', 'https-record'),
  ),
  honouredBy: ['client'],
  boundTo: {
    protocols: ['h3', 'auto'],
    why: 'discovery means how a client comes to HTTP/3, and an arm over TCP alone never does',
  },
  // Where nothing is forced, names are answered by a resolver of the testbed.
  hints: { sender: (way: DiscoveryWay) => (way === 'forced' ? undefined : { resolves: true }) },
  setBy: 'a resolver of the testbed (DNS over HTTPS)',
  provenBy: 'the resolver’s log and the server’s',
  readBack: 'discovery.questions',
});
