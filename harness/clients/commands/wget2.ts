import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fromDebianTree } from '../../tools/debian-tree.ts';
import type { CommandClient, CommandRequest, CommandTransfer } from './command-client.ts';

const program = 'usr/bin/wget2';
/** wget's successor in Debian 13, which has HTTP/2; it takes names to addresses only as the system does. */
const debian = {
  name: 'wget2',
  suite: 'trixie',
  packages: ['wget2', 'libnss-wrapper'],
  programs: [program],
  libraryFolders: ['libproxy'],
  preload: 'libnss_wrapper.so',
  downloadMegabytes: 24,
} as const;

const protocolOptions = { h1: ['--no-http2'], h2: ['--http2-only'], h3: [], auto: [] };
const hostsFile = 'hosts';
const siteFile = 'site.csv';
const tlsFile = 'tls.csv';

/** The columns of a line of one of its statistics; undefined where it wrote none. */
function columnsOf({ scratchDir }: CommandRequest, file: string, begins: RegExp): string[] | undefined {
  const place = path.join(scratchDir, file);
  const lines = existsSync(place) ? readFileSync(place, 'utf8').split('\n') : [];
  return lines.find((line) => begins.test(line))?.split(',');
}

function bodyOptions({ body }: CommandRequest): string[] {
  if (body === undefined) return [];
  return [
    '--method=POST',
    `--body-file=${body.file}`,
    ...(body.contentType === '' ? [] : [`--header=Content-Type: ${body.contentType}`]),
  ];
}

function transferOf(request: CommandRequest, elapsedMs: number): CommandTransfer {
  // ID, ParentID, URL, Status, Link, Method, Size, SizeDecompressed, TransferTime, ResponseTime, …, Content-Type.
  const [, , url, status, , , size, , transferMs, responseMs, ...rest] =
    columnsOf(request, siteFile, /^\d/) ?? [];
  // Host, TLS version, false start, fast open, negotiated protocol …
  const [, , , , , alpn = ''] = columnsOf(request, tlsFile, /./) ?? [];
  const about = {
    url: url ?? request.urls[0] ?? '',
    headerBytes: null,
    mimeType: rest.at(-1) ?? '',
    ...(request.body === undefined ? {} : { sentBytes: statSync(request.body.file).size }),
  };
  if (status === undefined) {
    const times = { connectStartMs: 0, connectEndMs: 0, requestStartMs: 0, responseStartMs: 0 };
    return {
      ...about,
      ...times,
      status: 0,
      protocol: '',
      bodyBytes: 0,
      endMs: elapsedMs,
      error: 'no answer came',
    };
  }
  // It does not tell how long TCP took: all before the request counts as connecting, with its own start.
  const connectEndMs = Math.max(0, elapsedMs - Number(transferMs));
  return {
    ...about,
    status: Number(status),
    protocol: alpn === '' ? 'http/1.1' : alpn,
    bodyBytes: Number(size),
    connectStartMs: 0,
    connectEndMs,
    requestStartMs: connectEndMs,
    responseStartMs: connectEndMs + Number(responseMs),
    endMs: elapsedMs,
  };
}

/** wget as the studies used it, with HTTP/2. It can hold a server to no key, so certificates are not judged. */
export const wget2: CommandClient = {
  id: 'wget2',
  title: 'wget2',
  programs: ['wget2'],
  installHint: 'Debian: npx h2h3 setup --system',
  tool: {
    protocols: ['h1', 'h2'],
    ...fromDebianTree(debian, (tree) => tree.launcher(program)),
  },
  onlyOneRequest: true,
  uploads: true,
  parseVersion: (text) => ({
    version: /^GNU Wget2 (\S+)/.exec(text)?.[1] ?? '',
    protocols: text.includes('+http2') ? ['h1', 'h2'] : ['h1'],
  }),
  files: ({ urls, server }): Record<string, string> => {
    const hosts = server === null ? [] : urls.map((url) => `${server.address} ${new URL(url).hostname}\n`);
    return { [hostsFile]: hosts.join('') };
  },
  environment: ({ server, scratchDir }): Record<string, string> =>
    server === null ? {} : { NSS_WRAPPER_HOSTS: path.join(scratchDir, hostsFile) },
  arguments: (request) => [
    // No file of the user's is read or written.
    '--no-config',
    '--no-hsts',
    '--no-hpkp',
    '--no-ocsp',
    '--no-proxy',
    '--quiet',
    ...protocolOptions[request.protocol],
    ...(request.spkiHash === '' ? [] : ['--no-check-certificate']),
    '--tries=1',
    '--max-threads=1',
    `--output-document=${request.factors?.migration === undefined ? '/dev/null' : '-'}`,
    `--stats-site=csv:${path.join(request.scratchDir, siteFile)}`,
    `--stats-tls=csv:${path.join(request.scratchDir, tlsFile)}`,
    ...bodyOptions(request),
    ...request.flags,
    ...request.urls,
  ],
  applies: ['migration'],
  stack: { lacksHybrid: true },
  restartArguments: (address, fromByte) => [
    `--bind-address=${address}`,
    ...(fromByte === 0 ? [] : [`--start-pos=${fromByte}`]),
  ],
  transfers: (_stdout, request, elapsedMs) => [transferOf(request, elapsedMs)],
  // It has no limit for the whole: the deadline of the trial ends it.
  timeLimitExitCode: -1,
};
