import { protocolOf } from '../../core/model/protocol.ts';
import type { ArmProtocol } from '../../core/model/protocol.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import { abandonedUrls, fetchedChunks, playersOf } from '../../core/model/session.ts';
import type { DownloadSession, Session } from '../../core/model/session.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';
import { LogBook } from './log-book.ts';
import { wireAddressOf, withoutPort } from '../../core/model/wire-address.ts';

interface MediaRequest {
  readonly url: string;
  readonly bytes: number;
  readonly protocol: string;
  /** Default: GET. */
  readonly method?: 'POST';
  readonly handover?: DownloadSession['streams'][number]['handover'];
  readonly resumption?: DownloadSession['streams'][number]['resumption'];
}

/**
 * What the page's own script saw of its media: its protocol, and for logged hosts as many requests in the
 * server's log, each with the same bytes.
 */
export function mediaFindings(
  arm: ArmProtocol,
  session: Session | null,
  loggedHosts: readonly string[],
  log: readonly ServerLogEntry[] | null,
): readonly Finding[] {
  if (session === null) return [];
  const requests = mediaRequests(session);
  return [
    ...requests.flatMap((request) => [...protocolFinding(arm, request), ...resumptionFinding(request)]),
    ...(log === null || loggedHosts.length === 0 ? [] : logFindings(session, loggedHosts, log)),
    ...(session.kind === 'download' ? shortDownload(requests, session.expectedBytes) : []),
  ];
}

/** The browser withholds the protocol of objects of another origin without Timing-Allow-Origin. */
export function mediaWarnings(session: Session | null): readonly string[] {
  const withheld = session === null ? 0 : mediaRequests(session).filter(({ protocol }) => !protocol).length;
  return withheld === 0
    ? []
    : [
        `${withheld} media requests: the page cannot see their protocol (Timing-Allow-Origin missing?), it is proven from the HAR`,
      ];
}

function mediaRequests(session: Session): readonly MediaRequest[] {
  if (session.kind === 'messages') return [];
  if (session.kind === 'download') return session.streams ?? [];
  if (session.kind === 'upload')
    return session.uploads.map(({ url, answerBytes, protocol }) => ({
      url,
      bytes: answerBytes,
      protocol,
      method: 'POST',
    }));
  return [...playersOf(session).flatMap(fetchedChunks), ...(session.crossTraffic ?? [])];
}

function protocolFinding(arm: ArmProtocol, request: MediaRequest): readonly Finding[] {
  if (arm === 'auto' || !request.protocol || protocolOf(request.protocol) === arm) return [];
  return [
    invalid(
      'wrong-protocol',
      `${request.url} came over ${request.protocol} by the page's own timing, expected ${arm}`,
    ),
  ];
}

function resumptionFinding({ url, resumption }: MediaRequest): readonly Finding[] {
  if (resumption === undefined) return [];
  if (resumption.resumed === true) return earlyDataFinding(url, resumption);
  const why =
    resumption.resumed === false
      ? 'the server did not resume the session'
      : 'neither the client nor the server’s log says whether the session was resumed';
  return [invalid('resumption-differs', `${url}: ${why}`)];
}

/** What resumes a session and sends early data saves a round trip more: neither may stand for the other. */
function earlyDataFinding(
  url: string,
  { asked, earlyData }: NonNullable<MediaRequest['resumption']>,
): readonly Finding[] {
  if (asked === '0rtt' && earlyData === false)
    return [invalid('resumption-differs', `${url}: the request was no early data`)];
  if (asked === 'session' && earlyData === true)
    return [
      invalid(
        'resumption-differs',
        `${url}: the request came as early data, expected a session resumed without`,
      ),
    ];
  return [];
}

function logFindings(
  session: Session,
  loggedHosts: readonly string[],
  log: readonly ServerLogEntry[],
): readonly Finding[] {
  const book = new LogBook(log, loggedHosts);
  const hosts = new Set(loggedHosts.map((host) => host.toLowerCase()));
  const seen = new Set<string>();
  const findings = mediaRequests(session).flatMap((request) => {
    const url = URL.parse(request.url);
    if (url === null || !hosts.has(url.hostname)) return [];
    const { path } = wireAddressOf(url);
    const method = request.method ?? 'GET';
    seen.add(`${method} ${url.hostname} ${path}`);
    const entry = book.take({ method, host: url.hostname, path }, ({ bytes }) => bytes === request.bytes);
    if (entry === undefined)
      return [invalid('not-logged', `media request ${request.url} is not in the server's log`)];
    if (entry.bytes === request.bytes) return [];
    return [
      invalid(
        'log-differs',
        `media request ${request.url}: the server sent ${entry.bytes} body bytes, the page got ${request.bytes}`,
      ),
    ];
  });
  book.takeGivenUp(abandonedUrls(session));
  const surplus = book.remaining.filter((entry) =>
    seen.has(`${entry.method} ${withoutPort(entry.host)} ${entry.path}`),
  );
  return [
    ...findings,
    ...surplus.map((entry) =>
      invalid(
        'log-differs',
        `media request ${entry.path} is in the server's log more often than the page asked for it`,
      ),
    ),
  ];
}

/** Errors of the page are a finding of their own; here it is what came without one but not whole. */
function shortDownload(requests: readonly MediaRequest[], expectedBytes: number): readonly Finding[] {
  const total = requests.reduce(
    (bytes, request) => bytes + request.bytes + (request.handover?.keptBytes ?? 0),
    0,
  );
  if (total === expectedBytes) return [];
  const first = requests[0]?.url ?? 'no request was made';
  return [
    invalid(
      'bytes-missing',
      `the download brought ${total} body bytes, expected ${expectedBytes} (${first})`,
    ),
  ];
}
