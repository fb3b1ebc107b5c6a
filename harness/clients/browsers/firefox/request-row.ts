/** One HTTP exchange as Firefox counted it; times are microseconds since the epoch, 0 when there was none. */
export interface RequestRow {
  readonly channelId: string;
  readonly url: string;
  readonly method: string;
  /** `nsIRequest.status` as a name (`NS_OK`, `NS_BINDING_ABORTED` …) or, where it has none, in hexadecimal. */
  readonly outcome: string;
  /** Null: no response came. */
  readonly status: number | null;
  readonly statusText: string;
  /** `h3`, `h2`, `http/1.1`; empty when no response came. */
  readonly protocol: string;
  readonly fromCache: boolean;
  readonly requestHeaders: readonly (readonly [string, string])[];
  readonly responseHeaders: readonly (readonly [string, string])[];
  readonly contentType: string;
  readonly requestSize: number;
  readonly transferSize: number;
  readonly encodedBodySize: number;
  /** The body as the page got it. */
  readonly decodedBodySize: number;
  readonly remoteAddress: string;
  readonly localPort: number;
  readonly initiatorType: string;
  readonly contentPolicyType: number;
  readonly openedMicros: number;
  readonly dnsStartMicros: number;
  readonly dnsEndMicros: number;
  readonly connectStartMicros: number;
  readonly tlsStartMicros: number;
  readonly connectEndMicros: number;
  readonly requestStartMicros: number;
  readonly responseStartMicros: number;
  readonly responseEndMicros: number;
  readonly stoppedMicros: number;
}
