/**
 * The parts of HAR 1.2 that this project reads. Other fields pass through untouched.
 * Source: http://www.softwareishard.com/blog/har-12-spec/
 */
export interface HarTimings {
  blocked?: number;
  dns?: number;
  connect?: number;
  ssl?: number;
  send: number;
  wait: number;
  receive: number;
}

export interface HarEntry {
  pageref?: string;
  startedDateTime: string;
  /** Sum of the timings, ms. */
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    headers: HarHeader[];
    headersSize: number;
    bodySize: number;
  } & Record<string, unknown>;
  response: {
    status: number;
    statusText: string;
    /** `h2`, `h3` or `http/1.1` for objects off the network. */
    httpVersion: string;
    headers: HarHeader[];
    content: { size: number; mimeType: string } & Record<string, unknown>;
    headersSize: number;
    /** Encoded body bytes on the wire; -1 unknown. */
    bodySize: number;
    /** Chromium only: bytes with headers. */
    _transferSize?: number;
    /** Set when the object failed (`net::ERR_…`, BiDi `errorText`). */
    _error?: string | null;
  } & Record<string, unknown>;
  cache: Record<string, unknown>;
  timings: HarTimings;
  connection?: string;
  serverIPAddress?: string;
  _initiator?: unknown;
  _priority?: string;
  _resourceType?: string | null;
  /** Of a HAR that was made afterwards: whether a timeline of the browser had the request, or our server's log alone. */
  _h2h3?: { source: 'timeline' | 'log'; scope?: string };
  /** Served from the browser's cache; such an entry in a cold load makes the trial invalid. */
  _fromCache?: boolean;
  /** Answered by the page's service worker; what that asked of a server itself is an entry of its own. */
  _fromServiceWorker?: boolean;
}

export interface HarHeader {
  name: string;
  value: string;
}

export interface HarPage {
  id: string;
  startedDateTime: string;
  title: string;
  pageTimings: { onContentLoad: number | null; onLoad: number | null };
}

export interface Har {
  log: {
    version: string;
    creator: { name: string; version: string; comment?: string };
    browser?: { name: string; version: string };
    /** Of a trial in which the browser recorded nothing: the HAR was made of its timelines and of our servers' logs. */
    _h2h3?: { source: 'timeline' };
    pages: HarPage[];
    entries: HarEntry[];
  };
}
