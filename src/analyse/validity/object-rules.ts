import type { Har } from '../../core/model/har.ts';
import { hostWithPort, isBlocked } from '../../core/model/live-address.ts';
import type { LivePage } from '../../core/model/live-address.ts';
import { leftOutOf, type PreparedWorkload } from '../../core/model/workload.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { ShownDocument } from '../../core/model/raw-trial.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';

/** Without a HAR nothing is proven. */
export function harFindings(har: Har | null, objects: readonly NetworkObject[]): readonly Finding[] {
  if (har === null) return [invalid('no-evidence', 'no HAR: the protocol of the objects is not proven')];
  return objects.length === 0 ? [invalid('no-evidence', 'the HAR holds no object: nothing is proven')] : [];
}

/**
 * Every object that got a response must have got it over the arm's protocol, `/favicon.ico` included.
 * Arm `auto` requires none: there the protocols are a result. Hosts of a live page that answer over TCP only may do so
 * in any arm (`tcpOnlyObjects` counts them), but not over QUIC where the arm has none.
 */
export function protocolFindings(
  arm: ArmProtocol,
  objects: readonly NetworkObject[],
  live?: LivePage,
): readonly Finding[] {
  if (arm === 'auto') return [];
  return objects
    .filter((object) => isAnswered(object) && object.protocol !== arm)
    .filter((object) => !object.hidesProtocol && !isTcpOnly(object, live))
    .map((object) =>
      invalid(
        'wrong-protocol',
        `${object.url} came over ${object.protocol ?? object.protocolName}, expected ${arm}`,
      ),
    );
}

/** In one sentence how many objects' hosts let no page read their protocol, in a timed trial; none where there are none. */
export function hiddenProtocolWarnings(objects: readonly NetworkObject[]): readonly string[] {
  const hidden = objects.filter((object) => isAnswered(object) && object.hidesProtocol);
  if (hidden.length === 0) return [];
  const hosts = [...new Set(hidden.map(({ host }) => host))];
  const named = hosts.length > namedHosts ? [...hosts.slice(0, namedHosts), '…'] : hosts;
  return [
    `${hidden.length} of ${objects.length} objects hide their protocol (no Timing-Allow-Origin): ${named.join(', ')}. Recorded blocks record it`,
  ];
}

/** In one sentence how many requests a service worker of the page answered; none where there are none. */
export function serviceWorkerWarnings(har: Har | null): readonly string[] {
  const count = har?.log.entries.filter((entry) => entry._fromServiceWorker === true).length ?? 0;
  if (count === 0) return [];
  const what = count === 1 ? 'request was' : 'requests were';
  return [
    `${count} ${what} answered by the page's service worker: what it asked the server for itself is what counts`,
  ];
}

/** In one sentence how many objects of a live page came from hosts without HTTP/3; none where there are none. */
export function tcpOnlyWarnings(objects: readonly NetworkObject[], live?: LivePage): readonly string[] {
  const counted = objects.filter((object) => isAnswered(object) && isTcpOnly(object, live));
  if (counted.length === 0) return [];
  const hosts = [...new Set(counted.map(({ url, host }) => (isPlain(url) ? `http://${host}` : host)))];
  const named = hosts.length > namedHosts ? [...hosts.slice(0, namedHosts), '…'] : hosts;
  return [
    `${counted.length} of ${objects.length} objects are of hosts without HTTP/3 and came over TCP: ${named.join(', ')}`,
  ];
}

/** The first document that an address was answered with. */
function mainDocument(objects: readonly NetworkObject[]): NetworkObject | undefined {
  return objects.find(({ status }) => status < 300 || status >= 400);
}

/** A page of the user's that answers with an error, itself or what it leads on to, is another page than the one that was meant. */
export function documentFindings(
  objects: readonly NetworkObject[],
  isUsersPage: boolean,
  documents: readonly ShownDocument[] = [],
): readonly Finding[] {
  if (!isUsersPage) return [];
  const shown = new Set(documents.map(({ url }) => url));
  const main = mainDocument(objects);
  const all = objects.filter((object) => object === main || shown.has(object.url));
  return all
    .filter(({ status }) => status >= 400)
    .map(({ url, status }) => invalid('object-refused', `${url} answered with status ${status}`));
}

/**
 * Where an address led on to another: by redirects, as to a log-in, or by the page itself. That page was measured.
 *
 * @param asked the address that the plan names; a page's own timeline does not hold the redirects that led to it
 * @param documents where the page led on by itself
 */
export function ledOnWarnings(
  objects: readonly NetworkObject[],
  asked: string | undefined,
  documents: readonly ShownDocument[] = [],
): readonly string[] {
  const last = documents.at(-1);
  if (last !== undefined)
    return [
      `${documents[0]?.url} led on to ${last.url} by itself: that page was measured, with the time that it took to get there`,
    ];
  if (asked === undefined) return [];
  const answered = mainDocument(objects);
  const url = new URL(asked);
  url.hash = '';
  if (answered === undefined || answered.url === url.href) return [];
  return [`${url.href} led on to ${answered.url}: that page was measured`];
}

/** Enough to recognise a page by. */
const namedHosts = 5;

const isAnswered = ({ status, fromCache }: NetworkObject): boolean => status > 0 && !fromCache;

/** Browsers speak neither HTTP/2 nor HTTP/3 without TLS. */
const isPlain = (url: string): boolean => url.startsWith('http:');

function isTcpOnly({ url, protocol }: NetworkObject, live: LivePage | undefined): boolean {
  if (live === undefined || protocol === 'h3') return false;
  return isPlain(url) || !live.h3Hosts.includes(hostWithPort(new URL(url)));
}

/**
 * One failed object, whatever the cause (an aborted prefetch as well), makes the load another load than the one
 * to be measured. What a browser asks for by itself (`/favicon.ico`) is no object of the page.
 */
export function failureFindings(
  objects: readonly NetworkObject[],
  workload: Pick<PreparedWorkload, 'live' | 'app'> = {},
): readonly Finding[] {
  return (
    objects
      .filter((object) => object.error !== undefined && !object.browserMade)
      // What the user wants left out is meant to fail.
      .filter(({ url }) => !isBlocked(url, leftOutOf(workload)))
      // An app that answers 404 to the same request each time has such a page; the server's log must have it so too.
      .filter(({ status }) => workload.app === undefined || status < 400 || status >= 500)
      .map((object) => invalid('object-failed', `${object.url} failed: ${object.error}`))
  );
}

/** A cold load takes nothing from a cache that it did not fill itself. */
export function cacheFindings(objects: readonly NetworkObject[]): readonly Finding[] {
  return objects
    .filter((object) => object.fromCache)
    .map((object) => invalid('from-cache', `${object.url} came from the browser's cache in a cold load`));
}
