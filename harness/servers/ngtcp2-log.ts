/**
 * A program of its own, around ngtcp2's server, which has no access log: reads what that prints of packets and headers, and
 * writes a line of JSON for each request when its stream or its connection is closed. All else of interest goes to standard error.
 * Usage: node ngtcp2-log.ts PROGRAM ARGUMENT...
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A line of that log. */
export interface Ngtcp2Request {
  readonly startEpochMs: number;
  readonly durationMs: number;
  /** The client's. */
  readonly port: string;
  /** Names and values of request and answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the end of the answer was sent. */
  readonly isWhole: boolean;
}

interface OpenStream {
  readonly startEpochMs: number;
  readonly headers: Record<string, string>;
  isWhole: boolean;
}

const packet = /^Received packet: .* remote=\S*[\]:](\d+)\b/;
const ofConnection = /^I\d+ (0x[\da-f]+) /;
const lastSent = / frm tx \d+ \w+ STREAM\(\w+\) id=(0x[\da-f]+) fin=1 /;
const begun = /^http: stream (0x[\da-f]+) request headers started/;
const answered = /^http: stream (0x[\da-f]+) submit response headers/;
const header = /^(?:http: stream 0x[\da-f]+ )?\[(:?[^:\]]+): (.*)\](?:\(sensitive\))?$/;
const closed = /^HTTP stream (\d+) closed with error code/;
const left = /^Draining period has started|^Closing period has started/;

/** Puts requests together. What is printed of a stream comes after a line of its connection. */
export class Ngtcp2Log {
  readonly #now: () => number;
  readonly #connections = new Map<
    string,
    { readonly port: string; readonly streams: Map<number, OpenStream> }
  >();
  #port = '';
  #connection = '';
  #stream = 0;

  /** @param now epoch ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns requests that the line ends */
  take(line: string): Ngtcp2Request[] {
    const of = ofConnection.exec(line)?.[1];
    if (of === undefined) return this.#takeOther(line);
    this.#connection = of;
    const stream = line.includes(' fin=1 ') ? lastSent.exec(line)?.[1] : undefined;
    const open = stream === undefined ? undefined : this.#streams().get(Number(stream));
    if (open !== undefined) open.isWhole = true;
    return [];
  }

  #takeOther(line: string): Ngtcp2Request[] {
    const port = packet.exec(line)?.[1];
    if (port !== undefined) this.#port = port;
    const stream = (begun.exec(line) ?? answered.exec(line))?.[1];
    if (stream !== undefined) this.#stream = Number(stream);
    if (begun.test(line))
      this.#streams().set(this.#stream, { startEpochMs: this.#now(), headers: {}, isWhole: false });
    const [, name, value] = header.exec(line) ?? [];
    const open = this.#streams().get(this.#stream);
    if (open !== undefined && name !== undefined && value !== undefined) open.headers[name] = value;
    const [, ended] = closed.exec(line) ?? [];
    if (ended !== undefined) return this.#end([Number(ended)]);
    return left.test(line) ? this.#end([...this.#streams().keys()]) : [];
  }

  #streams(): Map<number, OpenStream> {
    const known = this.#connections.get(this.#connection) ?? { port: this.#port, streams: new Map() };
    this.#connections.set(this.#connection, known);
    return known.streams;
  }

  #end(ids: readonly number[]): Ngtcp2Request[] {
    const streams = this.#streams();
    const port = this.#connections.get(this.#connection)?.port ?? '';
    return ids.flatMap((id) => {
      const open = streams.get(id);
      streams.delete(id);
      return open === undefined ? [] : [{ ...open, durationMs: this.#now() - open.startEpochMs, port }];
    });
  }
}

/** What it says of itself, not of packets, headers or connections that end as they should. */
const complaint =
  /^(?![I[]|http: |ngtcp2_conn_read_pkt: ERR_DRAINING)(?=.*(?:error|fail|could not|invalid))/i;

if (import.meta.main) {
  const [program = '', ...words] = process.argv.slice(2);
  const server = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => server.kill(signal));
  server.once('error', (cause) => {
    process.stderr.write(`${cause.message}\n`);
    process.exit(1);
  });
  server.once('close', (code) => process.exit(code ?? 1));
  const log = new Ngtcp2Log(() => Date.now());
  createInterface({ input: server.stderr }).on('line', (line) => {
    for (const request of log.take(line)) process.stdout.write(`${JSON.stringify(request)}\n`);
    if (complaint.test(line)) process.stderr.write(`${line}\n`);
  });
}
