/**
 * A program of its own, because it must run where the server runs: answers for the names of a testbed by DNS over HTTPS
 * (RFC 8484). The address is `/SEED/VISIT/WAY`: seed of the block, trial that asks, and `alt-svc` (addresses alone) or
 * `https-record` (an HTTPS record of each name too). Writes a line of JSON with its port when it listens, then one for each
 * question of the testbed’s names (`ResolverQuestion`).
 * Usage: node resolver-program.ts SETTINGS_FILE (`ResolverSettings`).
 */
import { readFileSync, writeSync } from 'node:fs';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, readQuestion, type DnsZone } from './dns-answer.ts';
import { LostQuestions } from './lost-questions.ts';

export interface ResolverSettings {
  readonly hosts: readonly string[];
  /** Where it listens. */
  readonly address: string;
  /** Where all names lead. */
  readonly addresses: readonly string[];
  /** How much later records of a type are answered, ms. */
  readonly lateMs: Readonly<Record<string, number>>;
  /** Of the questions, that are left without an answer; absent: none is. */
  readonly lossPercent?: number;
  readonly certificateFile: string;
  readonly keyFile: string;
}

const maxQueryBytes = 4096;
/** Protocols of the testbed's servers, HTTP/3 first. */
const alpn = ['h3', 'h2'];

/** The query of a request, whichever way it came; undefined for one that is none. */
async function queryOf(request: Http2ServerRequest): Promise<Buffer | undefined> {
  if (request.method !== 'POST') {
    const text = new URL(request.url, 'https://resolver').searchParams.get('dns');
    return text === null ? undefined : Buffer.from(text, 'base64url');
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxQueryBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const addressForm = /^\/(?<seed>\d+)\/(?<visit>[^/]+)\/(?<way>[^/]+)$/;

interface Answering extends Pick<ResolverSettings, 'lateMs'> {
  /** By the way that a client asks. */
  readonly zones: ReadonlyMap<string, DnsZone>;
  readonly lost: LostQuestions | undefined;
}

async function answer(
  { zones, lateMs, lost }: Answering,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url, 'https://resolver');
  const { seed, visit = '', way = '' } = addressForm.exec(pathname)?.groups ?? {};
  const zone = zones.get(way);
  const query = zone === undefined ? undefined : await queryOf(request);
  const question = query === undefined ? undefined : readQuestion(query);
  if (zone === undefined || question === undefined) {
    response.writeHead(zone === undefined ? 404 : 400).end();
    return;
  }
  const { host, type, found, message } = answerOf(question, zone);
  const isOurs = zone.hosts.has(host);
  const atEpochMs = Date.now();
  const isLost = isOurs && lost?.next({ seed: Number(seed), visit, host, type }) === true;
  const told = { atEpochMs, name: host, type, found, ...(lost === undefined ? {} : { lost: isLost }) };
  if (isLost) {
    // The client waits, until it gives up or asks again.
    say(told);
    return;
  }
  const waitMs = lateMs[type] ?? 0;
  if (waitMs > 0) await sleep(waitMs);
  if (isOurs) say({ ...told, ...(waitMs === 0 ? {} : { answeredAfterMs: Date.now() - atEpochMs }) });
  response
    .writeHead(200, { 'content-type': 'application/dns-message', 'content-length': message.length })
    .end(message);
}

if (import.meta.main) {
  const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ResolverSettings;
  const { address, addresses, lateMs, lossPercent } = settings;
  const hosts = new Set(settings.hosts);
  const answering: Answering = {
    zones: new Map<string, DnsZone>([
      ['alt-svc', { hosts, addresses, alpn: null }],
      ['https-record', { hosts, addresses, alpn }],
    ]),
    lateMs,
    lost: lossPercent === undefined ? undefined : new LostQuestions(lossPercent),
  };
  const server = createSecureServer(
    {
      cert: readFileSync(settings.certificateFile),
      key: readFileSync(settings.keyFile),
      allowHTTP1: true,
    },
    (request, response) => {
      answer(answering, request, response).catch(() => response.destroy());
    },
  );
  // A browser that ends takes its connection with it.
  server.on('sessionError', () => undefined);
  server.listen(0, address, () => say({ port: (server.address() as AddressInfo).port }));
}
