import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readKeptRun } from '../../../src/app/studies/kept-runs.ts';
import { readAnnouncement } from '../../../src/app/workers/announcement.ts';
import { folderStore } from '../../../src/store/results/folder-store.ts';
import { leaseResults, type LeaseResults } from '../../../src/store/results/lease-results.ts';
import { signatureOf } from '../../../src/store/results/plan-signature.ts';
import { createRunDirectory } from '../../../src/store/run-directory.ts';
import { environmentFixture } from '../../support/environment-fixture.ts';
import { generateRun } from '../../support/generated-run.ts';
import { plannedStudyRun } from '../../support/planned-study-run.ts';
import { fileIn, json, type FuzzedReader } from '../fuzzed-reader.ts';

const { plan, records } = generateRun({ blocks: 2 });
const [record] = records;
if (record === undefined) throw new Error('the run has no record');
const runId = '0abc';
const key = 'k'.repeat(32);
const environment = json(environmentFixture(['chromium'], ['loopback']));
/** SHA-256 of nothing. */
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Results in a folder that have an object of this name. */
function resultsWith(folder: string, name: string, content: Buffer): LeaseResults {
  const file = join(folder, 'runs', runId, name);
  mkdirSync(dirname(file), { recursive: true });
  fileIn(dirname(file), file.slice(dirname(file).length + 1), content);
  return leaseResults(folderStore(folder), runId, key);
}

const modules = [
  'src/store/results/lease-results.ts',
  'src/store/results/folder-store.ts',
  'src/store/results/plan-signature.ts',
];

export const resultReaders: readonly FuzzedReader[] = [
  {
    id: 'lease-plan',
    modules,
    corpus: [json({ ...plan, queue: { runId, spareBlocks: 0, lostAfterMs: 30_000 } })],
    // Signed, or nothing of it would be looked at.
    read: (input, folder) => {
      resultsWith(folder, 'plan.hmac', Buffer.from(signatureOf(input.toString('utf8'), runId, key)));
      return resultsWith(folder, 'plan.json', input).plan();
    },
  },
  {
    id: 'lease-signature',
    modules,
    corpus: [Buffer.from(signatureOf(JSON.stringify(plan), runId, key))],
    read: (input, folder) => {
      resultsWith(folder, 'plan.json', json(plan));
      return resultsWith(folder, 'plan.hmac', input).plan();
    },
  },
  {
    id: 'lease-record',
    modules,
    corpus: [
      json({ record, artifacts: [] }),
      json({ record, artifacts: [{ path: 'frames/1.jpg', sha256: emptySha256 }] }),
    ],
    read: (input, folder) => {
      const blobs = join(folder, 'blobs', 'e3');
      mkdirSync(blobs, { recursive: true });
      fileIn(blobs, emptySha256, '');
      const results = resultsWith(folder, `records/b000-g0/${record.trialId}.json`, input);
      const directory = createRunDirectory(join(folder, 'run'), plan, { latest: false });
      return results.bring('b000-g0', directory, new Set([record.trialId]));
    },
  },
  {
    id: 'lease-environment',
    modules,
    corpus: [environment],
    read: async (input, folder) => {
      resultsWith(folder, 'hosts/lab-1.json', input);
      const results = resultsWith(folder, 'environment.json', input);
      await results.environments(() => undefined);
      return Promise.all([results.sharedEnvironment(), results.joined('lab-1')]);
    },
  },
  {
    id: 'lease-claim',
    modules,
    corpus: [Buffer.from('lab-1')],
    read: (input, folder) => resultsWith(folder, 'claims/b000-g0', input).claimedBy('b000-g0'),
  },
  {
    id: 'kept-study-run',
    modules: ['src/app/studies/kept-runs.ts'],
    corpus: [json(plannedStudyRun(plan, { blocks: 1 }))],
    read: (input, folder) => readKeptRun(fileIn(folder, 'kept.json', input)),
  },
  {
    id: 'announcement',
    modules: ['src/app/workers/announcement.ts'],
    corpus: [json({ version: '0.1.0 (0123)', renewedEpochMs: 1 })],
    read: (input) => [
      readAnnouncement(runId, input.toString('utf8')),
      readAnnouncement(input.toString('utf8'), '{}'),
    ],
  },
];
