import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fromDebianTree } from '../../tools/debian-tree.ts';
import type { CommandClient, CommandRequest, CommandTransfer } from './command-client.ts';
import { endpoint } from '../../../src/core/model/wire-address.ts';

const program = 'usr/bin/h2load';
/** h2load of Debian 13, which is built without HTTP/3. */
const debian = {
  name: 'h2load',
  suite: 'trixie',
  packages: ['nghttp2-client'],
  programs: [program],
  downloadMegabytes: 9,
} as const;

const protocolOptions = { h1: ['--h1'], h2: ['--alpn-list=h2'], h3: ['--alpn-list=h3'], auto: [] };

const msPerUnit: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

/** The mean of a row of its table of times (https://nghttp2.org/documentation/h2load.1.html), ms; of one request it is the value. */
function meanMs(text: string, row: string): number {
  const columns = new RegExp(`^${row}:\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)`, 'm').exec(text);
  const [, value = '', unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(columns?.[3] ?? '') ?? [];
  return Number(value) * (msPerUnit[unit] ?? Number.NaN);
}

const logFile = ({ scratchDir }: CommandRequest): string => path.join(scratchDir, 'h2load.tsv');

/** HTTP status of the first line of its log; 0: no answer came. */
function loggedStatus(request: CommandRequest): number {
  const file = logFile(request);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Number(/^\d+\t(\d+)\t/.exec(text)?.[1] ?? 0);
}

function bodyOptions({ body }: CommandRequest): string[] {
  if (body === undefined) return [];
  return [
    `--data=${body.file}`,
    ...(body.contentType === '' ? [] : [`--header=content-type: ${body.contentType}`]),
  ];
}

function transferOf(stdout: string, request: CommandRequest): CommandTransfer {
  const status = loggedStatus(request);
  const whole = status > 0 && /^requests:.* 1 done, 1 succeeded, /m.test(stdout);
  const connectEndMs = meanMs(stdout, 'time for connect');
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  const spoken = /^Application protocol: (\S+)/m.exec(stdout)?.[1] ?? '';
  const about = {
    url: request.urls[0] ?? '',
    status,
    protocol: spoken,
    mimeType: '',
    bodyBytes: number(/^traffic:.* \((\d+)\) data/m),
    headerBytes: number(/^traffic:.* \((\d+)\) headers/m),
    ...(request.body === undefined ? {} : { sentBytes: statSync(request.body.file).size }),
  };
  if (!whole) {
    const times = { connectStartMs: 0, connectEndMs: 0, requestStartMs: 0, responseStartMs: 0, endMs: 0 };
    return { ...about, ...times, error: stdout.trim().split('\n').at(-1) ?? 'no answer came' };
  }
  return {
    ...about,
    connectStartMs: 0,
    connectEndMs,
    requestStartMs: connectEndMs,
    responseStartMs: meanMs(stdout, 'time to 1st byte'),
    endMs: connectEndMs + meanMs(stdout, 'time for request'),
  };
}

/** The client that costs least over HTTP/2: for what a server alone can do. It judges no certificate. */
export const h2load: CommandClient = {
  id: 'h2load',
  title: 'h2load',
  programs: ['h2load'],
  installHint: 'Debian: npx h2h3 setup --system',
  tool: {
    protocols: ['h1', 'h2'],
    ...fromDebianTree(debian, (tree) => tree.launcher(program)),
  },
  onlyOneRequest: true,
  uploads: true,
  parseVersion: (text) => ({ version: /nghttp2\/(\S+)/.exec(text)?.[1] ?? '', protocols: ['h1', 'h2'] }),
  arguments: (request) => [
    '--requests=1',
    '--clients=1',
    '--threads=1',
    ...protocolOptions[request.protocol],
    ...(request.server === null ? [] : [`--connect-to=${endpoint(request.server)}`]),
    `--connection-active-timeout=${Math.max(1, Math.ceil(request.limitSeconds))}`,
    `--log-file=${logFile(request)}`,
    ...bodyOptions(request),
    ...request.flags,
    ...request.urls,
  ],
  transfers: (stdout, request) => [transferOf(stdout, request)],
  // It has no code of its own for that: what had not ended shows as failed.
  timeLimitExitCode: -1,
};
