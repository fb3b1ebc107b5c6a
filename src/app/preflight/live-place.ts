import { connectTarget, liveNetwork } from '../../core/model/live-address.ts';
import type { Plan } from '../../core/model/plan.ts';
import { check, type Blocker } from './check.ts';

/**
 * Over a network of ours the browser runs in a namespace whose loopback is its own: an address that leads to loopback leads
 * to nothing there.
 */
export const livePlace = check('live-place', [], (plan) => {
  const shaped = plan.trials.filter(({ network }) => network !== liveNetwork && network !== 'loopback');
  const [first] = shaped;
  if (first === undefined) return [];
  return [...new Set(addressesOf(plan))].flatMap((address): Blocker[] => {
    const url = new URL(address);
    const { host, port } = connectTarget(url, plan.live?.connectTo ?? []);
    if (!isLoopback(host)) return [];
    const name = host.includes(':') ? 'HOST' : url.hostname;
    const from = `${name}:${url.port === '' ? 443 : url.port}`;
    return [
      {
        code: 'usage',
        reason: `${url.origin} leads to this machine's loopback, which a browser behind the network ${first.network} does not reach`,
        next: `${name === 'HOST' ? 'Call the server by a host name, have it' : 'Have the server'} listen on an address of this machine, and say --connect-to ${from}:ADDRESS:${port} with it (\`ip -4 address\` lists them).`,
      },
    ];
  });
});

function addressesOf({ urls, arms }: Plan): string[] {
  return [...urls, ...arms.flatMap(({ factors }) => factors.url ?? [])];
}

function isLoopback(host: string): boolean {
  return /^(?:127(?:\.\d+){3}|::1|(?:.+\.)?localhost)$/i.test(host);
}
