import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { csvParts } from '../../../reports/csv/render-csv.ts';
import { renderJunit } from '../../../reports/junit/render-junit.ts';
import { renderMarkdown } from '../../../reports/markdown/render-markdown.ts';
import { renderCard } from '../../../reports/svg/render-card.ts';
import { renderTerminalSummary } from '../../../reports/terminal/render-terminal-summary.ts';
import { deriveTrial } from '../../../src/analyse/derive/derive-trial.ts';
import { judgeGate } from '../../../src/analyse/gate/judge-gate.ts';
import { summarise } from '../../../src/analyse/summary/summarise.ts';
import { readHistoryRun } from '../../../src/app/history/import-run.ts';
import { merge } from '../../../src/app/merge/merge.ts';
import { journeyFailures } from '../../../src/app/report/journey-failures.ts';
import { failureFile, type JourneyFailure } from '../../../src/core/model/journey-failure.ts';
import { ownPart } from '../../../src/core/model/lease.ts';
import { readFolded } from '../../../src/core/model/folded-stack.ts';
import { loadCalibration } from '../../../src/store/calibration-store.ts';
import { readBaselines } from '../../../src/store/baselines.ts';
import { openToResume } from '../../../src/store/open-to-resume.ts';
import { JournalTail } from '../../../src/store/journal-tail.ts';
import { readNightEvents } from '../../../src/store/nights.ts';
import { digestsFile, readRunArchive, sha256Of, unpackInto } from '../../../src/store/run-archive.ts';
import { openRunDirectory } from '../../../src/store/run-directory.ts';
import { readEvidence } from '../../../src/store/evidence.ts';
import { readRuns } from '../../../src/store/run-index.ts';
import { lockHolder } from '../../../src/core/system/lock-file.ts';
import { environmentFixture } from '../../support/environment-fixture.ts';
import { generateGateRun } from '../../support/gate-run.ts';
import { generateRun } from '../../support/generated-run.ts';
import { writeShardRuns } from '../../support/shard-runs.ts';
import { silent } from '../../support/silent-progress.ts';
import { summaryFixture } from '../../support/summary-fixture.ts';
import { fileIn, json, jsonLines, type FuzzedReader } from '../fuzzed-reader.ts';

const run = generateRun({ blocks: 2 });
const planText = JSON.stringify(run.plan);
const journal = jsonLines(...run.records);
const ofShard = new Set(
  ownPart({ ...run.plan, shard: { index: 1, count: 2 } }).trials.map(({ trialId }) => trialId),
);
const shardJournal = jsonLines(...run.records.filter(({ trialId }) => ofShard.has(trialId)));
const environment = json(environmentFixture(['chromium'], ['loopback']));
const gate = generateGateRun({});

/** An archive of a run that holds its plan. */
const packedPlan = Buffer.from(
  zipSync({
    'plan.json': Buffer.from(planText),
    [digestsFile]: Buffer.from(`${sha256Of(Buffer.from(planText))}  plan.json\n`),
  }),
);

const journeyFailure: JourneyFailure = {
  message: 'no button',
  step: 'pay',
  stepMs: 10,
  journeyMs: 20,
  url: 'https://shop.test/',
  console: [{ level: 'error', text: 'gone' }],
  consoleLeftOut: 1,
};

/** What trials of every kind left on a real machine. */
const recorded = join(import.meta.dirname, '../../golden/runs/recorded');
const recordedFiles = (name: string): Buffer[] =>
  readdirSync(recorded).map((trialId) => gunzipSync(readFileSync(join(recorded, trialId, name))));

/** Reads, analyses and shows a run directory one of whose files is the input. */
function readRun(folder: string, name: string, input: Buffer): unknown {
  const path = join(folder, 'run');
  mkdirSync(path);
  fileIn(path, 'plan.json', planText);
  fileIn(path, 'journal.jsonl', journal);
  fileIn(path, name, input);
  readRuns(folder);
  const directory = openRunDirectory(path);
  const { records: read, warnings } = directory.journal();
  const summary = summarise(directory.plan, read, directory.environment(), warnings);
  return [
    renderTerminalSummary(summary, { columns: 100, colour: false }),
    renderMarkdown(summary),
    renderJunit(summary),
    [...csvParts(summary)].join(''),
    renderCard(summary),
  ];
}

/** Derives the trial again one of whose files is the input. */
async function readTrial(
  folder: string,
  parts: { readonly raw: Buffer; readonly har: Buffer },
): Promise<unknown> {
  fileIn(folder, 'raw.json.gz', gzipSync(parts.raw, { level: 1 }));
  fileIn(folder, 'page.har.gz', gzipSync(parts.har, { level: 1 }));
  return deriveTrial(readEvidence(folder));
}

const [pageRaw = Buffer.alloc(0)] = recordedFiles('raw.json.gz');
const [pageHar = Buffer.alloc(0)] = recordedFiles('page.har.gz');
const withoutFrames = (raw: Buffer): Buffer => {
  const stored = JSON.parse(raw.toString('utf8')) as { raw: object };
  return json({ ...stored, raw: { ...stored.raw, frames: [] } });
};

const calibration = {
  schemaVersion: 1,
  machineClass: 'x',
  createdAt: 'x',
  command: 'x',
  falseAlarmRate: 0.05,
  falseAlarmInterval: [0.01, 0.09],
  attainableSize: null,
  consistent: true,
  comparisons: 1,
  untestable: 0,
  families: 1,
  alarmedFamilies: 0,
  alarmedFamiliesUpperBound: null,
  series: [],
  power: [],
  instrumentationOverhead: [],
  warnings: [],
  runs: [{ name: 'x', startedAt: null, blocks: 8 }],
};
const baseline = {
  name: 'chromium',
  client: 'chromium@153.0.0',
  version: '153.0.0',
  build: 'full',
  acceptedAt: '2026-01-01',
  run: null,
  note: '',
};
const summaryModules = [
  'src/store/run-directory.ts',
  'src/store/read-document.ts',
  'src/analyse/summary/summarise.ts',
  'reports/terminal/render-terminal-summary.ts',
  'reports/markdown/render-markdown.ts',
  'reports/junit/render-junit.ts',
  'reports/csv/render-csv.ts',
];

export const runReaders: readonly FuzzedReader[] = [
  {
    id: 'run-plan',
    modules: summaryModules,
    corpus: [Buffer.from(planText)],
    read: (input, folder) => readRun(folder, 'plan.json', input),
  },
  {
    id: 'journal',
    modules: [...summaryModules, 'src/store/journal.ts', 'src/store/read-lines.ts'],
    corpus: [journal],
    read: (input, folder) => readRun(folder, 'journal.jsonl', input),
  },
  {
    id: 'environment',
    modules: summaryModules,
    corpus: [environment],
    read: (input, folder) => readRun(folder, 'environment.json', input),
  },
  {
    id: 'summary',
    modules: ['src/store/run-index.ts'],
    corpus: [json(summaryFixture())],
    read: (input, folder) => readRun(folder, 'summary.json', input),
  },
  {
    id: 'run-list',
    modules: ['src/store/run-index.ts'],
    corpus: [json({ schemaVersion: 1, runs: [] })],
    read: (input, folder) => {
      fileIn(folder, 'h2h3-runs.json', input);
      return readRuns(folder);
    },
  },
  {
    id: 'open-to-resume',
    modules: ['src/store/open-to-resume.ts'],
    corpus: [journal],
    read: (input, folder) => {
      fileIn(folder, 'plan.json', planText);
      fileIn(folder, 'journal.jsonl', input);
      return openToResume(folder).journal();
    },
  },
  {
    id: 'journal-tail',
    modules: ['src/store/journal-tail.ts'],
    corpus: [journal],
    read: (input, folder) => {
      const tail = new JournalTail(fileIn(folder, 'journal.jsonl', input));
      return [tail.read(), tail.read()];
    },
  },
  {
    id: 'shard',
    modules: ['src/app/merge/merge.ts', 'src/app/merge/open-shards.ts', 'src/store/merge-runs.ts'],
    corpus: [shardJournal],
    read: (input, folder) => {
      const parts = writeShardRuns(folder, run, { count: 2 });
      fileIn(parts[0] ?? '', 'journal.jsonl', input);
      return merge(parts, { out: join(folder, 'all'), partial: true }, { progress: silent });
    },
  },
  {
    id: 'run-lock',
    modules: ['src/core/system/lock-file.ts', 'src/core/system/processes/process-identity.ts'],
    corpus: [Buffer.from('4194304 1'), Buffer.from(String(process.pid))],
    read: (input, folder) => lockHolder(fileIn(folder, 'run.lock', input)),
  },
  {
    id: 'gate',
    modules: ['src/app/history/import-run.ts', 'src/analyse/history/history-run.ts'],
    corpus: [json(judgeGate(gate.plan, gate.records))],
    read: (input, folder) => {
      fileIn(folder, 'plan.json', planText);
      fileIn(folder, 'gate.json', input);
      return readHistoryRun(folder);
    },
  },
  {
    id: 'journey-failure',
    modules: ['src/app/report/journey-failures.ts'],
    corpus: [json(journeyFailure)],
    read: (input, folder) => {
      fileIn(folder, 'plan.json', planText);
      const directory = openRunDirectory(folder);
      const failed = run.records
        .slice(0, 1)
        .map((record) => ({ ...record, artifacts: { failure: failureFile } }));
      for (const { trialId } of failed)
        fileIn(directory.trialDir(trialId, { fresh: true }), failureFile, input);
      return journeyFailures(directory, failed);
    },
  },
  {
    id: 'evidence-raw',
    modules: ['src/store/evidence.ts', 'src/analyse/derive/derive-trial.ts'],
    corpus: recordedFiles('raw.json.gz').map(withoutFrames),
    refusesByAnyError: true,
    read: (input, folder) => readTrial(folder, { raw: input, har: pageHar }),
  },
  {
    id: 'evidence-har',
    modules: ['src/store/evidence.ts', 'src/core/metrics/evidence/network-object.ts'],
    corpus: recordedFiles('page.har.gz'),
    refusesByAnyError: true,
    read: (input, folder) => readTrial(folder, { raw: withoutFrames(pageRaw), har: input }),
  },
  {
    id: 'evidence-packed',
    modules: ['src/store/evidence.ts'],
    corpus: [gzipSync(json({ log: { pages: [], entries: [] } }))],
    refusesByAnyError: true,
    read: (input, folder) => {
      fileIn(folder, 'raw.json.gz', gzipSync(withoutFrames(pageRaw)));
      fileIn(folder, 'page.har.gz', input);
      return readEvidence(folder);
    },
  },
  {
    id: 'run-archive',
    modules: ['src/store/run-archive.ts', 'src/core/system/zip-entries.ts'],
    corpus: [packedPlan],
    read: (input, folder) => {
      const files = readRunArchive(fileIn(folder, 'run.zip', input));
      unpackInto(join(folder, 'out'), files);
      return files;
    },
  },
  {
    id: 'folded-stacks',
    modules: ['src/core/model/folded-stack.ts'],
    corpus: [Buffer.from('network;a:b;recv from 3\nnetwork;c 12\n')],
    read: (input) => readFolded(input.toString('utf8')),
  },
  {
    id: 'calibration',
    modules: ['src/store/calibration-store.ts'],
    corpus: [json(calibration)],
    read: (input, folder) => {
      mkdirSync(join(folder, 'calibration'));
      fileIn(join(folder, 'calibration'), 'x.json', input);
      return loadCalibration(folder, 'x');
    },
  },
  {
    id: 'baselines',
    modules: ['src/store/baselines.ts'],
    corpus: [json({ schemaVersion: 1, accepted: [] }), json({ schemaVersion: 1, accepted: [baseline] })],
    read: (input, folder) => {
      fileIn(folder, 'baselines.json', input);
      return readBaselines(folder);
    },
  },
  {
    id: 'nights',
    modules: ['src/store/nights.ts'],
    corpus: [
      jsonLines(
        { night: '2026-01-01', event: 'begin', at: 'x', folder: null, exitCode: null, note: '' },
        { night: '2026-01-01', event: 'end', at: 'x', folder: 'y', exitCode: 0, note: 'z' },
      ),
    ],
    read: (input, folder) => {
      fileIn(folder, 'nights.jsonl', input);
      return readNightEvents(folder);
    },
  },
];
