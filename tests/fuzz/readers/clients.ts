import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { harOf } from '../../../harness/clients/browsers/chromium/har.ts';
import type { LoggedRequest } from '../../../harness/clients/browsers/chromium/network-log.ts';
import { harOfRows } from '../../../harness/clients/browsers/firefox/har.ts';
import type { RequestRow } from '../../../harness/clients/browsers/firefox/request-row.ts';
import { beginAgainTransfers } from '../../../harness/clients/commands/begin-again.ts';
import type { CommandClient, CommandRequest } from '../../../harness/clients/commands/command-client.ts';
import { curl } from '../../../harness/clients/commands/curl.ts';
import { h2load } from '../../../harness/clients/commands/h2load.ts';
import { ownContest, ownTransfers } from '../../../harness/clients/commands/own-client.ts';
import { wget2 } from '../../../harness/clients/commands/wget2.ts';
import { cleanerOfAccess, harWithoutSecrets } from '../../../harness/trial/har-without-secrets.ts';
import { networkObjectsOf } from '../../../src/core/metrics/evidence/network-object.ts';
import type { Har } from '../../../src/core/model/har.ts';
import { fileIn, json, jsonLines, type FuzzedReader } from '../fuzzed-reader.ts';

const url = 'https://files.h2h3.test:8443/1.bin';

function requestIn(scratchDir: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return {
    protocol: 'h2',
    urls: [url],
    spkiHash: 'key=',
    flags: [],
    scratchDir,
    limitSeconds: 12.5,
    server: { address: '10.0.0.2', port: 8443 },
    ...more,
  };
}

const curlLine = {
  url,
  http_code: 200,
  http_version: '2',
  content_type: 'text/html',
  size_download: 10,
  size_header: 5,
  time_namelookup: 0.1,
  time_connect: 0.2,
  time_appconnect: 0.3,
  time_pretransfer: 0.3,
  time_starttransfer: 0.4,
  time_total: 0.5,
  exitcode: 0,
  errormsg: null,
};
const ownLine = {
  url,
  status: 200,
  protocol: 'h3',
  bodyBytes: 10,
  mimeType: '',
  connectStartMs: 0,
  connectEndMs: 1,
  requestStartMs: 1,
  responseStartMs: 2,
  endMs: 3,
};
const begunAgain = {
  first: {
    startMs: 0,
    firstByteMs: 5,
    endMs: 9,
    bodyBytes: 10,
    exitCode: 28,
    text: JSON.stringify(curlLine),
  },
  again: {
    startMs: 10,
    firstByteMs: 15,
    endMs: 19,
    bodyBytes: 10,
    exitCode: 0,
    text: JSON.stringify(curlLine),
  },
  lostMs: 9,
  recoveredMs: 15,
};
const h2loadText = `Application protocol: h2
finished in 79.95ms, 25.01 req/s, 119.36MB/s
requests: 1 total, 1 started, 1 done, 1 succeeded, 0 failed, 0 errored, 0 timeout
traffic: 9.54MB (10006814) total, 212B (212) headers (space savings 67.03%), 9.54MB (10000000) data
time for request:    60.83ms     60.83ms     60.83ms         0us   100.00%
time for connect:     1.40ms      1.40ms      1.40ms         0us   100.00%
time to 1st byte:      900us       900us       900us         0us   100.00%
`;
const wget2Statistics =
  'ID,ParentID,URL,Status,Link,Method,Size,SizeDecompressed,TransferTime,ResponseTime,Encoding\n' +
  `1,0,${url},200,1,1,10000000,10000000,109,8,0,0,1795322439,application/octet-stream\n`;

const startSeconds = 100;
const startMicros = 1_795_247_536_707_265;

/** An address with a text in it, as browsers write one. */
function addressWith(text: string): string {
  const address = new URL('https://a.test/');
  address.pathname = text;
  address.search = text;
  return address.href;
}

/** A request as Chromium tells of it: the form is the browser's, the texts are the page's and the server's. */
function chromiumRequest(text: string, isFirst: boolean): LoggedRequest {
  const requestId = isFirst ? '1' : '2';
  const timing = {
    requestTime: startSeconds,
    dnsStart: -1,
    dnsEnd: -1,
    connectStart: 1,
    connectEnd: 3,
    sslStart: 2,
    sslEnd: 3,
    sendStart: 4,
    sendEnd: 4,
    receiveHeadersEnd: 15,
  };
  const response = {
    url: addressWith(text),
    status: 200,
    statusText: text,
    headers: { [text]: text, 'content-length': text },
    mimeType: text,
    protocol: 'h3',
    connectionId: 7,
    remoteIPAddress: '127.0.0.1',
    timing,
  };
  const request = {
    sent: {
      requestId,
      timestamp: startSeconds,
      wallTime: 1_700_000_000,
      type: 'Document',
      initiator: isFirst ? { type: 'other' } : { type: 'parser', url: addressWith(text) },
      request: {
        url: addressWith(text),
        method: text,
        headers: { [text]: text },
        initialPriority: 'High',
        postData: text,
      },
    },
    response: { requestId, timestamp: startSeconds + 0.015, type: 'Document', response },
    finished: { requestId, timestamp: startSeconds + 0.05, encodedDataLength: 1100 },
    decodedBytes: 1000,
    encodedBytes: 1010,
    lastDataSeconds: startSeconds + 0.02,
  };
  return request as unknown as LoggedRequest;
}

/** The same of Firefox. */
function firefoxRow(text: string): RequestRow {
  const times = Array.from({ length: 8 }, (_, index) => startMicros + index);
  const [dnsStartMicros, dnsEndMicros, connectStartMicros, tlsStartMicros] = times;
  const [connectEndMicros, requestStartMicros, responseStartMicros, responseEndMicros] = times.slice(4);
  const row = {
    channelId: '23',
    url: addressWith(text),
    method: text,
    outcome: 'NS_OK',
    status: 200,
    statusText: text,
    protocol: text,
    fromCache: false,
    requestHeaders: [[text, text]],
    responseHeaders: [[text, text]],
    contentType: text,
    requestSize: 461,
    transferSize: 1952,
    encodedBodySize: 1683,
    decodedBodySize: 5120,
    remoteAddress: '127.0.0.1',
    localPort: 37_694,
    initiatorType: text,
    contentPolicyType: 6,
    openedMicros: startMicros,
    dnsStartMicros,
    dnsEndMicros,
    connectStartMicros,
    tlsStartMicros,
    connectEndMicros,
    requestStartMicros,
    responseStartMicros,
    responseEndMicros,
    stoppedMicros: startMicros + 9,
  };
  return row as unknown as RequestRow;
}

/** What is read out of a HAR of a browser. */
function readHar(har: Har): unknown {
  return networkObjectsOf(harWithoutSecrets(har, cleanerOfAccess([], ['correct horse'])));
}

const pageTexts = [url, 'text/html; charset=utf-8', 'max-age=3600, no-store'].map((text) =>
  Buffer.from(text),
);

/** What a command-line client writes on its standard output. A trial whose client is not understood is failed with the reason. */
function commandClient(client: CommandClient, ...corpus: readonly Buffer[]): FuzzedReader {
  return {
    id: `client-${client.id}`,
    modules: [`harness/clients/commands/${client.id}.ts`],
    corpus,
    refusesByAnyError: true,
    read: (input, folder) => {
      const text = input.toString('utf8');
      return [client.parseVersion(text), client.transfers(text, requestIn(folder), 500)];
    },
  };
}

export const clientReaders: readonly FuzzedReader[] = [
  commandClient(curl, jsonLines(curlLine), jsonLines(curlLine, curlLine)),
  commandClient(h2load, Buffer.from(h2loadText)),
  {
    id: 'client-wget2',
    modules: ['harness/clients/commands/wget2.ts'],
    corpus: [Buffer.from(wget2Statistics)],
    refusesByAnyError: true,
    read: (input, folder) => {
      fileIn(folder, 'site.csv', input);
      fileIn(folder, 'tls.csv', input);
      return wget2.transfers('', requestIn(folder), 500);
    },
  },
  {
    id: 'client-own',
    modules: ['harness/clients/commands/own-client.ts'],
    corpus: [
      jsonLines(ownLine),
      jsonLines(ownLine, {
        sampleMs: 100,
        flows: [{ url, protocol: 'h3', bytes: 1, samples: [1] }],
        requests: [],
      }),
    ],
    refusesByAnyError: true,
    read: (input) => {
      const text = input.toString('utf8');
      return [ownTransfers(text), ownContest(text)];
    },
  },
  {
    id: 'client-begun-again',
    modules: ['harness/clients/commands/begin-again.ts'],
    corpus: [json(begunAgain)],
    refusesByAnyError: true,
    read: (input, folder) => {
      for (const name of ['first', 'again']) mkdirSync(join(folder, name));
      const migration = { afterBytes: 5, then: 'restart' } as const;
      return beginAgainTransfers(curl, input.toString('utf8'), requestIn(folder, { factors: { migration } }));
    },
  },
  {
    id: 'chromium-requests',
    modules: ['harness/clients/browsers/chromium/har.ts', 'harness/trial/har-without-secrets.ts'],
    corpus: pageTexts,
    read: async (input) => {
      const text = input.toString('utf8');
      const page = {
        url: addressWith(text),
        domContentSeconds: startSeconds + 0.1,
        loadSeconds: startSeconds + 0.2,
        timeOriginEpochMs: null,
        browser: { name: 'Chromium', version: '156' },
      };
      return readHar(await harOf(page, [chromiumRequest(text, true), chromiumRequest(text, false)]));
    },
  },
  {
    id: 'firefox-requests',
    modules: ['harness/clients/browsers/firefox/har.ts', 'harness/trial/har-without-secrets.ts'],
    corpus: pageTexts,
    read: (input) => {
      const text = input.toString('utf8');
      const page = { url: addressWith(text), startedEpochMs: startMicros / 1000, timings: null };
      return readHar(
        harOfRows({ ...page, browser: { name: 'Firefox', version: '153' } }, [firefoxRow(text)]),
      );
    },
  },
];
