import { RequestRest } from '../../../../../src/core/model/request-rest.ts';
import type { RequestRow } from '../request-row.ts';

/**
 * Runs in Firefox's parent process, with the browser's own privileges. It keeps a reference to every HTTP channel
 * that ends and reads them out afterwards, so that a load costs two short calls per object and no message.
 * WebDriver BiDi's own network events would cost more than they show: to give them, Firefox copies each response
 * body through JavaScript and keeps it in memory. A page of 73 objects that loads in 0.24 s took 0.56 s and twice
 * the CPU time with them; with this recorder the difference is below what can be measured.
 */

/** The parts of Firefox's XPCOM interfaces that are read here (nsIHttpChannel, nsIHttpChannelInternal, nsITimedChannel). */
interface HttpChannel {
  QueryInterface(iid: unknown): void;
  readonly channelId: number;
  readonly URI: { readonly spec: string };
  readonly requestMethod: string;
  readonly status: number;
  readonly responseStatus: number;
  readonly responseStatusText: string;
  readonly protocolVersion: string;
  readonly contentType: string;
  readonly requestSize: number;
  readonly transferSize: number;
  readonly encodedBodySize: number;
  readonly decodedBodySize: number;
  readonly remoteAddress: string;
  readonly localPort: number;
  readonly initiatorType: string;
  readonly loadInfo: {
    readonly externalContentPolicyType: number;
    readonly loadingDocument: unknown;
    readonly loadingPrincipal: { readonly isSystemPrincipal: boolean } | null;
  };
  readonly asyncOpenTime: number;
  readonly domainLookupStartTime: number;
  readonly domainLookupEndTime: number;
  readonly connectStartTime: number;
  readonly secureConnectionStartTime: number;
  readonly connectEndTime: number;
  readonly requestStartTime: number;
  readonly responseStartTime: number;
  readonly responseEndTime: number;
  visitRequestHeaders(visitor: HeaderVisitor): void;
  visitResponseHeaders(visitor: HeaderVisitor): void;
}

interface HeaderVisitor {
  visitHeader(name: string, value: string): void;
}

interface Observer {
  observe(subject: unknown, topic: string): void;
}

declare const Services: {
  readonly obs: {
    addObserver(observer: Observer, topic: string): void;
    removeObserver(observer: Observer, topic: string): void;
  };
};
declare const Ci: Readonly<Record<string, new () => HttpChannel>>;
declare const Cr: Readonly<Record<string, number>>;

export interface RequestRecorder {
  /** Whether any exchange has a connection by now, or has ended. */
  connected(): boolean;
  /** Resolves with true when nothing was under way for `quietMs`, with false when `limitMs` have passed. */
  quiet(quietMs: number, limitMs: number): Promise<boolean>;
  /** Something came over the network, of whichever request. */
  arrived(): void;
  /** Ends recording. What is still under way is in the rows too, with outcome `UNFINISHED`. */
  stop(): RequestRow[];
}

const began = 'http-on-opening-request';
const answered = 'http-on-examine-response';
const cached = 'http-on-examine-cached-response';
const ended = 'http-on-stop-request';

/** `nsIContentPolicy`: what a page sends without waiting for an answer (pings, reports of its policy, beacons), and web sockets, which end with it. */
const unawaited: readonly number[] = [10, 16, 17, 19];

/**
 * Leaves `globalThis.h2h3Requests`.
 *
 * @param waitsForAll whether quiet means that every request has ended; else polls and unread answers are not waited for
 */
export function startRequestRecorder(waitsForAll: boolean): string {
  const open = new Map<number, HttpChannel>();
  const fromCache = new Set<number>();
  const stopped: [HttpChannel, number][] = [];
  const received = new Map<number, number>();
  const rest = new RequestRest(performance.now(), { waitsForAll });
  const observer: Observer = {
    observe(subject, topic) {
      if (!(subject instanceof (Ci.nsIHttpChannel as new () => HttpChannel)) || ownByBrowser(subject)) return;
      const id = String(subject.channelId);
      const nowMs = performance.now();
      if (topic === began) {
        open.set(subject.channelId, subject);
        const key = `${subject.requestMethod} ${subject.URI.spec} ${/^(GET|HEAD)$/.test(subject.requestMethod) ? '' : id}`;
        rest.sent(id, key, nowMs, unawaited.includes(subject.loadInfo.externalContentPolicyType));
      } else if (topic === answered) rest.progressed(id, nowMs);
      else if (topic === cached) fromCache.add(subject.channelId);
      else {
        open.delete(subject.channelId);
        rest.ended(id, nowMs);
        stopped.push([subject, Date.now() * 1000]);
      }
    },
  };
  // What a service worker lets pass ends without a word: another channel goes on with it.
  const leaveReplaced = (): void => {
    for (const [id, channel] of open) {
      if (channel.status !== Cr['NS_BINDING_REDIRECTED']) continue;
      open.delete(id);
      rest.ended(String(id), performance.now());
    }
  };
  const topics = [began, answered, cached, ended];
  for (const topic of topics) Services.obs.addObserver(observer, topic);
  const recorder: RequestRecorder = {
    connected() {
      return (
        stopped.length > 0 ||
        [...open.values()].some((channel) => rowOf(channel, false, 0).connectEndMicros > 0)
      );
    },
    async quiet(quietMs, limitMs) {
      const limit = performance.now() + limitMs;
      rest.loaded(performance.now());
      for (;;) {
        leaveReplaced();
        if (!waitsForAll) noteProgress(open, received, rest);
        const leftMs = quietMs - rest.quietForMs(performance.now());
        if (leftMs <= 0) return true;
        if (performance.now() >= limit) return false;
        await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, 25)));
      }
    },
    arrived() {
      rest.arrived(performance.now());
    },
    stop() {
      for (const topic of topics) Services.obs.removeObserver(observer, topic);
      leaveReplaced();
      const rows = new Map<number, RequestRow>();
      for (const [channel, stoppedMicros] of stopped)
        rows.set(channel.channelId, rowOf(channel, fromCache.has(channel.channelId), stoppedMicros));
      for (const channel of open.values())
        rows.set(channel.channelId, {
          ...rowOf(channel, fromCache.has(channel.channelId), Date.now() * 1000),
          outcome: 'UNFINISHED',
        });
      return [...rows.values()];
    },
  };
  (globalThis as { h2h3Requests?: RequestRecorder }).h2h3Requests = recorder;
  return 'recording';
}

/** No event tells of the pieces of a body. */
function noteProgress(
  open: ReadonlyMap<number, HttpChannel>,
  received: Map<number, number>,
  rest: RequestRest,
): void {
  for (const [id, channel] of open) {
    const bytes = readable(() => channel.encodedBodySize, 0);
    if (bytes === (received.get(id) ?? 0)) continue;
    received.set(id, bytes);
    rest.progressed(String(id), performance.now());
  }
}

/** What Firefox asks for on its own account (updates, settings), by the rule of its own BiDi network events. */
function ownByBrowser(channel: HttpChannel): boolean {
  const { loadingDocument, loadingPrincipal } = channel.loadInfo;
  return loadingDocument === null && loadingPrincipal?.isSystemPrincipal === true;
}

function rowOf(channel: HttpChannel, fromCache: boolean, stoppedMicros: number): RequestRow {
  channel.QueryInterface(Ci.nsIHttpChannelInternal);
  channel.QueryInterface(Ci.nsITimedChannel);
  return {
    channelId: String(channel.channelId),
    url: channel.URI.spec,
    method: channel.requestMethod,
    outcome: nameOfResult(channel.status),
    status: readable(() => channel.responseStatus, null),
    statusText: readable(() => channel.responseStatusText, ''),
    protocol: readable(() => channel.protocolVersion, ''),
    fromCache,
    requestHeaders: headers((visitor) => channel.visitRequestHeaders(visitor)),
    responseHeaders: headers((visitor) => channel.visitResponseHeaders(visitor)),
    contentType: readable(() => channel.contentType, ''),
    requestSize: readable(() => channel.requestSize, 0),
    transferSize: readable(() => channel.transferSize, 0),
    encodedBodySize: readable(() => channel.encodedBodySize, 0),
    decodedBodySize: readable(() => channel.decodedBodySize, 0),
    remoteAddress: readable(() => channel.remoteAddress, ''),
    localPort: readable(() => channel.localPort, 0),
    initiatorType: readable(() => channel.initiatorType, ''),
    contentPolicyType: channel.loadInfo.externalContentPolicyType,
    openedMicros: channel.asyncOpenTime,
    dnsStartMicros: channel.domainLookupStartTime,
    dnsEndMicros: channel.domainLookupEndTime,
    connectStartMicros: channel.connectStartTime,
    tlsStartMicros: channel.secureConnectionStartTime,
    connectEndMicros: channel.connectEndTime,
    requestStartMicros: channel.requestStartTime,
    responseStartMicros: channel.responseStartTime,
    responseEndMicros: channel.responseEndTime,
    stoppedMicros,
  };
}

/** Attributes of a channel throw as long as, or because, there was no response. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function headers(visit: (visitor: HeaderVisitor) => void): [string, string][] {
  const list: [string, string][] = [];
  readable(() => visit({ visitHeader: (name, value) => void list.push([name, value]) }), undefined);
  return list;
}

function nameOfResult(result: number): string {
  return Object.keys(Cr).find((name) => Cr[name] === result) ?? `0x${result.toString(16)}`;
}
