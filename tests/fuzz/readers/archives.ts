import { join } from 'node:path';
import { zipSync } from 'fflate';
import { gzipSync } from 'node:zlib';
import { archiveEntrySchema } from '../../../sites/archive/archive-index.ts';
import { archiveWorkload } from '../../../sites/archive/archive-workload.ts';
import { cleanExchange } from '../../../sites/archive/clean-exchange.ts';
import { findSecrets } from '../../../sites/archive/known-secrets.ts';
import { SecretCleaner } from '../../../sites/archive/secrets.ts';
import { sha256, type RecordedExchange } from '../../../sites/archive/write-archive.ts';
import { rewriteCss } from '../../../sites/localise/css-references.ts';
import { rewriteHtml } from '../../../sites/localise/html-references.ts';
import { moduleReferences } from '../../../sites/localise/localise-page.ts';
import { importHar } from '../../../sites/record/import-har.ts';
import { importWarc } from '../../../sites/record/import-warc.ts';
import { readFlows } from '../../../sites/record/read-flows.ts';
import { RequestMatcher } from '../../../sites/replay/match-request.ts';
import type { PrepareContext } from '../../../src/core/model/workload.ts';
import { fileIn, json, jsonLines, type FuzzedReader } from '../fuzzed-reader.ts';

function harEntry(url: string, more: { readonly request?: object; readonly response?: object } = {}): object {
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 3,
    request: { method: 'GET', url, headers: [{ name: 'cookie', value: 'a=b' }], ...more.request },
    response: {
      status: 200,
      headers: [{ name: 'content-encoding', value: 'gzip' }],
      content: { text: '<p>hello</p>', mimeType: 'text/html' },
      ...more.response,
    },
    timings: { wait: 1, receive: 2, connect: 5, ssl: 3 },
  };
}

const har = {
  log: {
    version: '1.2',
    creator: { name: 'x', version: '1' },
    entries: [
      harEntry('https://a.test/'),
      harEntry('https://a.test/x?b=1', { response: { content: { text: 'AAEC', encoding: 'base64' } } }),
      harEntry('https://a.test/post', {
        request: { method: 'POST', postData: { mimeType: 'application/json', text: '{"a":1}' } },
      }),
      harEntry('https://b.test/gone', { response: { status: 0, _error: 'net::ERR_ABORTED' } }),
      harEntry('wss://b.test/socket'),
    ],
  },
};
const attached = {
  log: {
    ...har.log,
    entries: [harEntry('https://a.test/', { response: { content: { _file: 'body.html' } } })],
  },
};

const httpAnswer =
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>hi\r\n4;ext=1\r\n</p>\r\n0\r\n\r\n';
const httpRequest = 'GET / HTTP/1.1\r\nHost: a.test\r\nRange: bytes=0-\r\n\r\n';
const extension = '{"urls":["https://a.test/"],"complete":true}';

function warcRecord(type: string, block: string, more: Readonly<Record<string, string>> = {}): string {
  const headers = {
    'WARC-Type': type,
    'WARC-Record-ID': `<${type}>`,
    'WARC-Target-URI': 'https://a.test/',
    'WARC-Date': '2026-01-01T00:00:01Z',
    'Content-Length': String(block.length),
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `WARC/1.1\r\n${lines.join('')}\r\n${block}\r\n\r\n`;
}

const warc = Buffer.from(
  warcRecord('warcinfo', 'software: x 1\r\n') +
    warcRecord('request', httpRequest, { 'WARC-Concurrent-To': '<response>' }) +
    warcRecord('response', httpAnswer, { 'WARC-Payload-Digest': 'sha1:A' }) +
    warcRecord('revisit', '', { 'WARC-Payload-Digest': 'sha1:A', 'WARC-Date': '2026-01-01T00:00:02Z' }) +
    warcRecord('metadata', extension, { 'Content-Type': 'application/vnd.h2h3+json' }),
);

const archiveEntry = {
  method: 'GET',
  host: 'a.test',
  path: '/',
  query: '',
  range: '',
  requestBody: null,
  status: 200,
  headers: [['content-type', 'text/html']],
  body: null,
  bodyBytes: 0,
  startMs: 0,
  waitMs: 1,
};
const archiveIndex = {
  schemaVersion: 1,
  urls: ['https://a.test/'],
  recordedAt: '2026-01-01T00:00:00.000Z',
  recorder: 'x 1',
  complete: true,
  removed: {},
  entries: [archiveEntry, { ...archiveEntry, path: '/lost', status: 0, failure: 'aborted' }],
};

const flow = {
  method: 'GET',
  scheme: 'https',
  host: 'a.test',
  port: 443,
  target: '/',
  fetchSite: '',
  range: '',
  vary: {},
  requestType: '',
  requestBody: null,
  status: 200,
  failure: null,
  reason: 'OK',
  headers: [['content-type', 'text/html']],
  hints: [],
  body: null,
  pieces: [[1, 2]],
  startEpochMs: 1,
  answerEpochMs: 2,
  waitMs: 1,
  connectMs: 2,
  server: '127.0.0.1',
};

/** An exchange whose one body is the input. */
function exchangeWith(body: Buffer, contentType: string): RecordedExchange {
  const entry = {
    method: 'POST',
    host: 'a.test',
    path: '/;jsessionid=1',
    query: 'token=x&b=1',
    range: '',
    status: 200,
    startMs: 0,
    waitMs: 0,
    requestType: contentType,
    headers: [['content-type', contentType]] as [string, string][],
  };
  return { entry, requestBody: body, body };
}

function sentBody(id: string, contentType: string, ...texts: readonly string[]): FuzzedReader {
  return {
    id,
    modules: [
      'sites/archive/secrets.ts',
      'sites/archive/known-secrets.ts',
      'sites/archive/clean-exchange.ts',
    ],
    corpus: texts.map((text) => Buffer.from(text)),
    read: async (input) => {
      const cleaned = cleanExchange(exchangeWith(input, contentType), new SecretCleaner('ab12'));
      return findSecrets([cleaned], ['correct horse']);
    },
  };
}

const multipart =
  '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
const page =
  '<!doctype html><html><head><base href="/b/"><link rel="stylesheet" href="a.css"><style>@import "x.css";</style></head><body style="background:url(i.png)"><img src="i.png" srcset="a.png 1x, b.png 2x"><script type="module">import "./m.js"</script><script src="s.js"></script></body></html>';
const css = '@import url("x.css") screen;\na{background:url(\'i.png\')}\n@font-face{src:url(f.woff2)}\n';
const script = "import { a } from './a.js';\nconst b = await import('./b.js');\nexport * from 'c';\n";

export const archiveReaders: readonly FuzzedReader[] = [
  {
    id: 'har',
    modules: ['sites/record/read-har.ts', 'sites/record/import-har.ts', 'sites/archive/store-archive.ts'],
    corpus: [json(har)],
    read: (input, folder) =>
      importHar({ harFile: fileIn(folder, 'site.har', input), outDir: join(folder, 'archive') }),
  },
  {
    id: 'har-zip',
    modules: ['sites/record/read-har.ts'],
    corpus: [Buffer.from(zipSync({ 'site.har': json(attached), 'body.html': Buffer.from('<p>hi</p>') }))],
    read: (input, folder) =>
      importHar({ harFile: fileIn(folder, 'site.zip', input), outDir: join(folder, 'archive') }),
  },
  {
    id: 'warc',
    modules: [
      'sites/record/read-warc.ts',
      'sites/record/import-warc.ts',
      'sites/record/parse-http-answer.ts',
    ],
    corpus: [warc, gzipSync(warc)],
    read: (input, folder) =>
      importWarc({
        signal: AbortSignal.timeout(60_000),
        warcFile: fileIn(folder, 'site.warc', input),
        outDir: join(folder, 'archive'),
      }),
  },
  {
    id: 'archive',
    modules: ['sites/archive/archive-workload.ts', 'sites/archive/open-archive.ts'],
    corpus: [json(archiveIndex)],
    read: (input, folder) => {
      fileIn(folder, 'index.json', input);
      // It needs nothing of the machine: preparing an archive is checking it.
      return archiveWorkload(folder).prepare({} as PrepareContext);
    },
  },
  {
    id: 'flows',
    modules: ['sites/record/read-flows.ts', 'sites/record/server-pauses.ts'],
    corpus: [jsonLines(flow, { unreachable: 'b.test', port: 443, reason: 'x' })],
    read: (input, folder) => {
      fileIn(folder, 'flows.jsonl', input);
      return readFlows(folder);
    },
  },
  sentBody(
    'body-json',
    'application/json',
    '{"user":"a","password":"x","deep":[{"api_key":"abcdefgh1234"}]}',
  ),
  sentBody(
    'body-form',
    'application/x-www-form-urlencoded',
    'a=1&token=x&next=https%3A%2F%2Fa.test%2F%3Fsid%3D1',
  ),
  sentBody('body-multipart', 'multipart/form-data; boundary=b', multipart),
  {
    id: 'replayed-request',
    modules: ['sites/replay/match-request.ts', 'sites/replay/body-pairs.ts'],
    corpus: ['{"a":[1,{"b":2}],"t":1700000000}', '{"a":1}\n{"b":2}', 'a=1&b=2', multipart].map((text) =>
      Buffer.from(text),
    ),
    read: (input) => {
      const recorded = Buffer.from('{"a":[1,{"b":3}],"t":1600000000}');
      const entry = archiveEntrySchema.parse({
        ...archiveEntry,
        method: 'POST',
        requestBody: sha256(recorded),
      });
      const matcher = new RequestMatcher([entry], () => recorded);
      const types = [
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=b',
        '',
      ];
      return types.map((type) =>
        matcher.match({
          method: 'POST',
          host: 'a.test',
          port: 443,
          path: '/',
          query: input.toString('latin1'),
          hasBareQuery: input.length % 2 === 1,
          range: '',
          requestBody: sha256(input),
          body: input,
          header: (name) => (name === 'content-type' ? type : ''),
        }),
      );
    },
  },
  {
    id: 'page-html',
    modules: ['sites/localise/html-references.ts', 'sites/localise/text-edits.ts'],
    corpus: [Buffer.from(page)],
    read: (input) =>
      rewriteHtml(input.toString('utf8'), {
        rewrite: (reference) => `/x/${reference}`,
        removesScript: () => false,
      }),
  },
  {
    id: 'page-css',
    modules: ['sites/localise/css-references.ts'],
    corpus: [Buffer.from(css)],
    read: (input) => rewriteCss(input.toString('utf8'), (reference) => `/x/${reference}`),
  },
  {
    id: 'page-module',
    modules: ['sites/localise/localise-page.ts'],
    corpus: [Buffer.from(script)],
    refusesByAnyError: true,
    read: (input) => moduleReferences(input.toString('utf8')),
  },
];
