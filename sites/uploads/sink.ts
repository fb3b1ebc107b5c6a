import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { minPauseMs, receiptOf, type SinkLine } from '../../src/core/model/sink-line.ts';
import { withoutPort } from '../../src/core/model/wire-address.ts';

export interface SinkOptions {
  /** A longer body is answered with 413. */
  readonly maxBytes: number;
  /** Called when an upload begins, at times while it comes, and when it ends. */
  readonly onLine: (line: SinkLine) => void;
  /** A clock that never goes back, ms. Default: the process's own. */
  readonly now?: () => number;
}

/**
 * While a body comes its state is told this often, ms, and no more often than at each hundredth of its time so far: lines grow
 * with the logarithm of the time that an upload takes.
 */
const tellEveryMs = 250;
const tellEveryShare = 0.01;

const openHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Timing-Allow-Origin': '*',
  'Cache-Control': 'no-store',
};

/** Takes bodies over HTTP/1.1, throws them away, and says how many bytes came and what their SHA-256 is. */
export function createSink(options: SinkOptions): Server {
  // A slow body is no fault, and a connection that waits for the next request is the server's to end.
  return createServer({ requestTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
    if (request.method === 'OPTIONS') answer(response, 204, '');
    else if (request.method === 'POST') new Arrival(request, response, options).take();
    else answer(response, 405, '');
  });
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    ...openHeaders,
    ...(status === 204
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  });
  response.end(body);
}

/** One body on its way. */
class Arrival {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: SinkOptions;
  readonly #now: () => number;
  readonly #id = randomUUID();
  readonly #atEpochMs = Date.now();
  readonly #startedMs: number;
  readonly #hash = createHash('sha256');
  /** Since what was told last. */
  #pauses: SinkLine['pauses'] = [];
  #bytes = 0;
  #lastByteMs = 0;
  #toldMs = 0;
  #hasEnded = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: SinkOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#startedMs = this.#now();
  }

  take(): void {
    this.#tell({});
    if (Number(this.#request.headers['content-length'] ?? 0) > this.#options.maxBytes) this.#refuse();
    this.#request
      .on('data', (part: Buffer) => this.#add(part))
      .on('end', () => this.#complete())
      .on('close', () => this.#end({ end: 'cut' }))
      // What was cut off is told by its end.
      .on('error', () => undefined);
  }

  #add(part: Buffer): void {
    if (this.#hasEnded) return;
    const nowMs = this.#now() - this.#startedMs;
    const durationMs = nowMs - this.#lastByteMs;
    const isFirst = this.#bytes === 0;
    if (!isFirst && durationMs >= minPauseMs) this.#pauses.push({ startMs: this.#lastByteMs, durationMs });
    this.#bytes += part.length;
    this.#lastByteMs = nowMs;
    if (this.#bytes > this.#options.maxBytes) {
      this.#refuse();
      return;
    }
    this.#hash.update(part);
    if (!isFirst && nowMs - this.#toldMs < Math.max(tellEveryMs, tellEveryShare * nowMs)) return;
    this.#toldMs = nowMs;
    this.#tell({});
  }

  /** What still comes is thrown away: a server in front may send on until it has read the answer. */
  #refuse(): void {
    if (this.#end({ end: 'refused' })) answer(this.#response, 413, '');
  }

  #complete(): void {
    const sha256 = this.#hash.digest('hex');
    if (this.#end({ end: 'whole', sha256 }))
      answer(this.#response, 200, receiptOf({ bytes: this.#bytes, sha256 }));
  }

  /** Tells the end of it, once. */
  #end(told: Pick<SinkLine, 'end' | 'sha256'>): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#tell(told);
    return true;
  }

  #tell(told: Pick<SinkLine, 'end' | 'sha256'>): void {
    const { method = '', headers, url = '' } = this.#request;
    const pauses = this.#pauses;
    this.#pauses = [];
    this.#options.onLine({
      id: this.#id,
      method,
      host: withoutPort(headers.host ?? ''),
      path: url,
      atEpochMs: this.#atEpochMs,
      bytes: this.#bytes,
      lastByteMs: this.#lastByteMs,
      pauses,
      ...told,
    });
  }
}
