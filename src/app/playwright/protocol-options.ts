import { protocolSwitches } from '../../../harness/clients/browsers/chromium/switches.ts';
import { altSvcMapping, protocolPreferences } from '../../../harness/clients/browsers/firefox/preferences.ts';

export type ForcedProtocol = 'h1' | 'h2' | 'h3';

/** Options of a launch that are changed. */
interface Launched {
  readonly args?: readonly string[];
  readonly firefoxUserPrefs?: Readonly<Record<string, string | number | boolean>>;
}

const usualPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `host:port` of addresses. */
export function originsOf(addresses: readonly (string | undefined)[]): string[] {
  return addresses.flatMap((address) => {
    if (address === undefined) return [];
    const { protocol, hostname, port } = new URL(address);
    return [`${hostname}:${port === '' ? usualPorts[protocol] : port}`];
  });
}

/**
 * What leaves the browser one protocol, as in a trial, with the options that there are.
 *
 * @param origins `host:port`, which HTTP/3 is forced on
 * @throws Error where the browser cannot be told, or HTTP/3 has no origin
 */
export function protocolOptions(
  browserName: string,
  protocol: ForcedProtocol,
  origins: readonly string[],
  { args = [], firefoxUserPrefs = {} }: Launched,
): Launched {
  if (protocol === 'h3' && origins.length === 0)
    throw new Error('h2h3: HTTP/3 is forced for origins: name them, or baseURL');
  if (browserName === 'chromium') {
    const force = protocol === 'h3' ? [`--origin-to-force-quic-on=${origins.join(',')}`] : [];
    return { args: [...args, ...protocolSwitches[protocol], ...force] };
  }
  if (browserName === 'firefox') {
    const mapped = origins.map((origin) => origin.replace(/^(.*):(\d+)$/, '$1;h3=:$2')).join(',');
    const force = protocol === 'h3' ? { [altSvcMapping]: mapped } : {};
    return { firefoxUserPrefs: { ...protocolPreferences[protocol], ...force, ...firefoxUserPrefs } };
  }
  throw new Error(`h2h3 cannot force a protocol in ${browserName}: it can in chromium and firefox`);
}
