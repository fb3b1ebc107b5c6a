import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readTrace } from '../../harness/network/traces/read-trace.ts';
import { parseCaddyLine } from '../../harness/servers/caddy.ts';
import { parseNginxLine } from '../../harness/servers/nginx.ts';
import { archiveWorkload } from '../../sites/archive/archive-workload.ts';
import { openArchive } from '../../sites/archive/open-archive.ts';
import { importHar } from '../../sites/record/import-har.ts';
import { importWarc } from '../../sites/record/import-warc.ts';
import { readFlows } from '../../sites/record/read-flows.ts';
import { readShapeFile } from '../../sites/replicas/shape-file.ts';
import { judgeGate } from '../../src/analyse/gate/judge-gate.ts';
import { summarise } from '../../src/analyse/summarise.ts';
import { readHistoryRun } from '../../src/app/history/import-run.ts';
import { readMarginsFile } from '../../src/app/plan/margins-file.ts';
import { planFromRequest, readPlanRequest } from '../../src/app/plan/plan-request.ts';
import { loadCalibration } from '../../src/store/calibration-store.ts';
import { readBaselines } from '../../src/store/baselines.ts';
import { readNightEvents } from '../../src/store/nights.ts';
import { openRunDirectory } from '../../src/store/run-directory.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRuns } from '../../src/store/run-index.ts';
import { environmentFixture } from '../support/environment-fixture.ts';
import { generateGateRun } from '../support/gate-run.ts';
import { generateRun } from '../support/generated-run.ts';
import { summaryFixture } from '../support/summary-fixture.ts';

/** Something that reads what users and other programs give it, and inputs that it takes as they are. */
export interface FuzzedReader {
  readonly id: string;
  readonly corpus: readonly Buffer[];
  /** Reads `input` by way of an empty folder of its own. */
  read(input: Buffer, folder: string): unknown;
}

const { plan, records } = generateRun({ blocks: 2 });
const planText = JSON.stringify(plan);
const journalText = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
const gate = generateGateRun({});

function fileIn(folder: string, name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** Reads and analyses a run directory one of whose files is the input. */
function readRun(folder: string, name: string, input: Buffer): unknown {
  const run = join(folder, 'run');
  mkdirSync(run);
  fileIn(run, 'plan.json', planText);
  fileIn(run, 'journal.jsonl', journalText);
  fileIn(run, name, input);
  readRuns(folder);
  const directory = openRunDirectory(run);
  const { records: read, warnings } = directory.journal();
  return summarise(directory.plan, read, directory.environment(), warnings);
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const planFile = `name: tuesday
workloads: [page-landing, download-1mb]
arms: [h2, h3]
repetitions: 6
margins: {pltMs: 0.03}
customNetworks:
  mine:
    up: {rateMbps: 5, delayMs: 20, lossPercent: 1}
    down: {rateMbps: 20, delayMs: 20, trace: {format: generated, generator: 4g-walking}}
networks: [mine]
`;
const grid = 'grid: {rateMbps: [5, 10], rttMs: [36], size: [10kb], count: [1, 10]}\narms: [h2, h3]\n';

const har = {
  log: {
    version: '1.2',
    creator: { name: 'x', version: '1' },
    entries: ['https://a.test/', 'https://a.test/x?b=1', 'https://b.test/i.png'].map((url) => ({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 3,
      request: { method: 'GET', url, headers: [{ name: 'cookie', value: 'a=b' }] },
      response: {
        status: 200,
        headers: [{ name: 'content-encoding', value: 'gzip' }],
        content: { text: '<p>hello</p>', mimeType: 'text/html' },
      },
      timings: { wait: 1, receive: 2 },
    })),
  },
};

const httpAnswer =
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>hi\r\n4;ext=1\r\n</p>\r\n0\r\n\r\n';
const warc = Buffer.from(
  `WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <a>\r\nWARC-Target-URI: https://a.test/\r\nWARC-Date: 2026-01-01T00:00:01Z\r\nContent-Length: ${httpAnswer.length}\r\n\r\n${httpAnswer}\r\n\r\n`,
);

const archiveIndex = {
  ...{ schemaVersion: 2, urls: ['https://a.test/'], recordedAt: '2026-01-01T00:00:00.000Z', recorder: 'x 1' },
  ...{ complete: true, removed: {} },
  entries: [
    {
      ...{ method: 'GET', host: 'a.test', path: '/', query: '', range: '', requestBody: null, status: 200 },
      ...{ headers: [['content-type', 'text/html']], body: null, bodyBytes: 0, startMs: 0, waitMs: 1 },
    },
  ],
};

const calibration = {
  ...{ schemaVersion: 1, machineClass: 'x', createdAt: 'x', command: 'x', falseAlarmRate: 0.05 },
  ...{
    falseAlarmInterval: [0.01, 0.09],
    attainableSize: null,
    consistent: true,
    comparisons: 1,
    untestable: 0,
  },
  ...{
    families: 1,
    alarmedFamilies: 0,
    alarmedFamiliesUpperBound: null,
    series: [],
    power: [],
    warnings: [],
  },
  runs: [{ name: 'x', startedAt: null, blocks: 8 }],
};

const flow = {
  ...{ method: 'GET', scheme: 'https', host: 'a.test', port: 443, target: '/', fetchSite: '', range: '' },
  ...{ vary: {}, requestType: '', requestBody: null, status: 200, failure: null, reason: 'OK' },
  ...{ headers: [['content-type', 'text/html']], hints: [], body: null, pieces: [[1, 2]] },
  ...{ startEpochMs: 1, answerEpochMs: 2, waitMs: 1 },
};

const logLine = {
  ts: 1.5,
  request: { proto: 'HTTP/3.0', method: 'GET', host: 'a.test:8443', uri: '/?x', tls: { resumed: true } },
  ...{ duration: 0.01, size: 10, status: 200 },
};

export const readers: readonly FuzzedReader[] = [
  {
    id: 'plan-file',
    corpus: [Buffer.from(planFile), Buffer.from(grid)],
    read: (input, folder) =>
      planFromRequest(readPlanRequest(fileIn(folder, 'plan.yaml', input), {}), 'h2h3 run plan.yaml'),
  },
  {
    id: 'margins',
    corpus: [Buffer.from('pltMs: 3%\nstallTotalMs: 100\n')],
    read: (input, folder) => readMarginsFile(fileIn(folder, 'margins.yaml', input)),
  },
  {
    id: 'shapes',
    corpus: [
      json({
        sites: [
          {
            site: 'a',
            requests: [
              [0, 'html', 1000, 3000, 0, null, 0, 4],
              [1, 'image', null, 50, 12, 0],
            ],
          },
        ],
      }),
    ],
    read: (input, folder) => readShapeFile(fileIn(folder, 'shapes.json', input)),
  },
  {
    id: 'har',
    corpus: [json(har)],
    read: (input, folder) =>
      importHar({ harFile: fileIn(folder, 'site.har', input), outDir: join(folder, 'archive') }),
  },
  {
    id: 'warc',
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
    corpus: [json(archiveIndex)],
    read: async (input, folder) => {
      fileIn(folder, 'index.json', input);
      archiveWorkload(folder);
      return openArchive(folder);
    },
  },
  {
    id: 'flows',
    corpus: [
      Buffer.from(
        `${JSON.stringify(flow)}\n${JSON.stringify({ unreachable: 'b.test', port: 443, reason: 'x' })}\n`,
      ),
    ],
    read: (input, folder) => {
      fileIn(folder, 'flows.jsonl', input);
      return readFlows(folder);
    },
  },
  {
    id: 'run-plan',
    corpus: [Buffer.from(planText)],
    read: (input, folder) => readRun(folder, 'plan.json', input),
  },
  {
    id: 'journal',
    corpus: [Buffer.from(journalText)],
    read: (input, folder) => readRun(folder, 'journal.jsonl', input),
  },
  {
    id: 'environment',
    corpus: [json(environmentFixture(['chromium'], ['loopback']))],
    read: (input, folder) => readRun(folder, 'environment.json', input),
  },
  {
    id: 'summary',
    corpus: [json(summaryFixture())],
    read: (input, folder) => readRun(folder, 'summary.json', input),
  },
  {
    id: 'run-list',
    corpus: [json({ schemaVersion: 1, runs: [] })],
    read: (input, folder) => {
      fileIn(folder, 'h2h3-runs.json', input);
      return readRuns(folder);
    },
  },
  {
    id: 'gate',
    corpus: [json(judgeGate(gate.plan, gate.records))],
    read: (input, folder) => {
      fileIn(folder, 'plan.json', planText);
      fileIn(folder, 'gate.json', input);
      return readHistoryRun(folder);
    },
  },
  {
    id: 'evidence',
    corpus: [json({ log: { pages: [], entries: [] } }), gzipSync(json({ log: { pages: [], entries: [] } }))],
    read: (input, folder) => {
      fileIn(folder, 'raw.json.gz', gzipSync('{}'));
      fileIn(folder, 'page.har.gz', input);
      try {
        return readEvidence(folder);
      } catch (thrown) {
        // Whoever reads evidence takes any error for one of this trial; only time and memory count here.
        if (thrown instanceof RangeError) throw thrown;
        return null;
      }
    },
  },
  {
    id: 'calibration',
    corpus: [json(calibration)],
    read: (input, folder) => {
      mkdirSync(join(folder, 'calibration'));
      fileIn(join(folder, 'calibration'), 'x.json', input);
      return loadCalibration(folder, 'x');
    },
  },
  {
    id: 'baselines',
    corpus: [json({ schemaVersion: 1, accepted: [] })],
    read: (input, folder) => {
      fileIn(folder, 'baselines.json', input);
      return readBaselines(folder);
    },
  },
  {
    id: 'nights',
    corpus: [json({ night: '2026-01-01', event: 'begin', at: 'x', folder: null, exitCode: null, note: '' })],
    read: (input, folder) => {
      fileIn(folder, 'nights.jsonl', input);
      return readNightEvents(folder);
    },
  },
  {
    id: 'trace-seconds',
    corpus: [Buffer.from('# a\n0 10\n1 5.5\n2 0\n3.5 20\n')],
    read: (input, folder) => readTrace(fileIn(folder, 'trace', input), 'seconds-mbps'),
  },
  {
    id: 'trace-mahimahi',
    corpus: [Buffer.from('0\n5\n5\n12\n')],
    read: (input, folder) => readTrace(fileIn(folder, 'trace', input), 'mahimahi'),
  },
  {
    id: 'access-log',
    corpus: [json(logLine)],
    read: (input) =>
      input
        .toString('utf8')
        .split('\n')
        .map((line) => [parseCaddyLine(line), parseNginxLine(line)]),
  },
];
