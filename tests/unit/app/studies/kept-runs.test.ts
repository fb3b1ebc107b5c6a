import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { studyCounts, type StudyCounts } from '../../../../reports/html/studies/study-counts.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { studyRunOfRecords } from '../../../../src/analyse/summary/study-run-of-records.ts';
import { experiments } from '../../../../src/app/presets/registry.ts';
import { keepRuns, keptFolder, readKeptRuns } from '../../../../src/app/studies/kept-runs.ts';
import { studiesOf } from '../../../../src/app/studies/studies-page.ts';
import type { StudyRun } from '../../../../src/core/model/study-run.ts';
import { appendRecord } from '../../../../src/store/journal.ts';
import { createRunDirectory } from '../../../../src/store/run-directory.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';
import { plannedStudyRun } from '../../../support/planned-study-run.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const budgetBytes = 2_000_000;

/** Made-up runs of the quick scale of every experiment. */
function quickRuns(): StudyRun[] {
  return experiments().map(({ preset }) => {
    const request = readPlanRequest(preset, { scale: 'quick' });
    const named = {
      ...request,
      clients: request.clients.map((client) => (client === 'best' ? 'chromium' : client)),
    };
    return plannedStudyRun(planFromRequest(named, 'test').plan);
  });
}

test('what is kept of runs makes the page without any run, with its figures, within a phone’s patience', async (t) => {
  const kept = tempFolder(t);
  const out = join(tempFolder(t), 'new', 'folder');
  keepRuns(kept, quickRuns());
  const { studies, pagePath } = await studiesOf({ out, kept });
  assert.equal(studies.revision, 'abc123');
  assert.ok(studies.experiments.every(({ run, preset }) => run !== undefined || preset === ''));
  const page = readFileSync(pagePath, 'utf8');
  const figures = [...page.matchAll(/<figure class="sf"><svg [^]*?<\/svg>/g)].map(([figure]) => figure);
  assert.ok(figures.length >= 12, `${figures.length} figures`);
  assert.ok(figures.filter((figure) => figure.includes('sf-p') && figure.includes('sf-o')).length >= 12);
  assert.doesNotMatch(page, /NaN|undefined|Infinity/);
});

test('a page of nothing at all has the published values, and says that nothing was measured', async (t) => {
  const { studies, pagePath } = await studiesOf({ out: tempFolder(t), kept: join(tempFolder(t), 'none') });
  assert.ok(studies.experiments.every(({ run }) => run === undefined));
  const page = readFileSync(pagePath, 'utf8');
  assert.match(page, /No published finding has been measured here yet/);
  assert.ok([...page.matchAll(/class="sf-p/g)].length > 30);
});

test('newest runs are kept over older ones, and a file of something else is told', async (t) => {
  const kept = tempFolder(t);
  const out = tempFolder(t);
  const { plan, records } = generateRun({ blocks: 6, plan: { name: 'zhang2024-video' } });
  createRunDirectory(join(out, 'a run'), plan);
  records.forEach((record) => appendRecord(join(out, 'a run', 'journal.jsonl'), record));
  writeFileSync(join(kept, 'odd.json'), '{"schemaVersion":9}');
  const first = await studiesOf({ out, kept, keep: true });
  assert.deepEqual(first.kept, [join(kept, 'zhang2024-video.json')]);
  assert.equal(first.passedOver.length, 1);
  const again = await studiesOf({ out: tempFolder(t), kept });
  const found = again.studies.experiments.flatMap(({ preset, run }) => (run === undefined ? [] : [preset]));
  assert.deepEqual(found, ['zhang2024-video']);
});

test('a kept run says what its path carried without HTTP, by kinds of checks, and by their words where a run is older', () => {
  const { plan, records } = generateRun({ blocks: 2 });
  const rate = { unit: 'Mbit/s', expected: null, tolerance: null, ok: true };
  const ratesOf = (checks: ReturnType<typeof environmentFixture>['networks'][number]['checks']) => {
    const environment = environmentFixture(['chromium'], ['gigabit', 'loopback']);
    environment.networks[0]?.checks.push(...checks);
    return studyRunOfRecords(plan, records, environment).rawRates;
  };
  const rates = [{ network: 'gigabit', udpMbps: 958, tcpMbps: 944 }];
  assert.deepEqual(
    ratesOf([
      { ...rate, direction: 'up', kind: 'udp-rate', quantity: 'a', measured: 100 },
      { ...rate, direction: 'down', kind: 'shared-udp-rate', quantity: 'rate, UDP at 110 %', measured: 1 },
      { ...rate, direction: 'down', kind: 'udp-rate', quantity: 'b', measured: 958 },
      { ...rate, direction: 'down', kind: 'tcp-rate', quantity: 'c', measured: 944 },
    ]),
    rates,
  );
  assert.deepEqual(
    ratesOf([
      { ...rate, direction: 'up', quantity: 'rate, UDP at 110 %', measured: 100 },
      { ...rate, direction: 'down', quantity: 'rate, UDP at 110 %, at most', measured: 958 },
      { ...rate, direction: 'down', quantity: 'rate, TCP cubic', measured: 944 },
    ]),
    rates,
  );
});

test('a run that lost more than one trial in twenty does not take the place of one that did not', async (t) => {
  const kept = tempFolder(t);
  const [before] = quickRuns();
  assert.ok(before !== undefined);
  const after = { ...before, startedAt: '2099-01-01T00:00:00Z', revision: 'def456' };
  const revisionWith = async (trialsOk: number): Promise<string | null> => {
    const own = tempFolder(t);
    // Two kept runs of one experiment: the newer one stands in a file of another name.
    keepRuns(kept, [before]);
    writeFileSync(join(kept, 'newer.json'), JSON.stringify({ ...after, trialsOk }));
    return (await studiesOf({ out: own, kept })).studies.revision;
  };
  assert.equal(await revisionWith(Math.ceil(before.trialsDone * 0.95)), 'def456');
  assert.equal(await revisionWith(Math.ceil(before.trialsDone * 0.9) - 1), before.revision);
});

test('a kept run counts the trials that each arm lost, as a migration that fails is one', () => {
  const { plan, records } = generateRun({ blocks: 4 });
  const environment = environmentFixture(['chromium'], ['cable']);
  const [first] = records.filter(({ arm }) => arm === 'h3');
  const withLoss = records.map((record) =>
    record === first
      ? { ...record, status: 'failed' as const, reason: 'no answer at another address' }
      : record,
  );
  assert.deepEqual(studyRunOfRecords(plan, records, environment).lostByArm, []);
  const { length: all } = records.filter(({ arm }) => arm === 'h3');
  assert.deepEqual(studyRunOfRecords(plan, withLoss, environment).lostByArm, [
    { arm: 'h3', lost: 1, of: all, why: 'no answer at another address' },
  ]);
});

test('what the project keeps is read, of known experiments, and small', () => {
  const folder = keptFolder();
  const { runs, passedOver } = readKeptRuns(folder);
  assert.deepEqual(passedOver, []);
  assert.ok(runs.length > 0, `no run is kept in ${folder}`);
  const presets = experiments().map(({ preset }) => preset);
  for (const { preset } of runs) assert.ok(presets.includes(preset), preset);
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  );
  assert.ok(bytes <= budgetBytes, `${bytes} bytes`);
});

test('all experiments at quick scale stay within what the project keeps', (t) => {
  const folder = tempFolder(t);
  const bytes = keepRuns(folder, quickRuns()).reduce((sum, file) => sum + statSync(file).size, 0);
  assert.ok(bytes <= budgetBytes, `${bytes} bytes`);
});

test('a kept run without digests of its claims is told by name, and does not count', async (t) => {
  const kept = tempFolder(t);
  const [run] = quickRuns();
  assert.ok(run !== undefined);
  const { claims, ...without } = run;
  assert.ok(claims !== undefined && claims.length > 0);
  const file = join(kept, `${run.preset}.json`);
  writeFileSync(file, JSON.stringify(without));
  const { studies, passedOver } = await studiesOf({ out: tempFolder(t), kept });
  assert.ok(studies.experiments.every((experiment) => experiment.run === undefined));
  assert.equal(passedOver.length, 1);
  assert.ok(passedOver[0]?.includes(`${file} has no digest of its claims`), passedOver[0]);
});

test('claims that were changed after the kept run are told by name and marked, and no count has them', async (t) => {
  const kept = tempFolder(t);
  const [run] = quickRuns();
  assert.ok(run !== undefined);
  keepRuns(kept, [run]);
  const before = await studiesOf({ out: tempFolder(t), kept });
  assert.deepEqual(before.passedOver, []);
  const [, ...others] = run.claims ?? [];
  keepRuns(kept, [{ ...run, claims: others }]);
  const { studies, passedOver } = await studiesOf({ out: tempFolder(t), kept });
  const marked = studies.experiments.flatMap(({ results }) =>
    results.filter(({ afterTheFact }) => afterTheFact === true),
  );
  assert.equal(marked.length, 1);
  assert.ok(
    passedOver.some(
      (line) => line.includes(marked[0]?.experiment ?? 'nothing') && line.includes('after the fact'),
    ),
  );
  const then = studyCounts(before.studies);
  const now = studyCounts(studies);
  assert.equal(now.afterTheFact, 1);
  assert.equal(now.all, then.all);
  const decided = ({ direction, part, pooled, oneClient, opposite, open, absent }: StudyCounts): number =>
    direction + part + pooled + oneClient + opposite + open + absent;
  assert.equal(decided(now), decided(then) - 1);
});

test('the run that a newer one takes the place of is kept among those of before, and counts as a campaign', async (t) => {
  const kept = tempFolder(t);
  const [before] = quickRuns();
  assert.ok(before !== undefined);
  const after = { ...before, startedAt: '2099-01-01T00:00:00Z' };
  keepRuns(kept, [before]);
  keepRuns(kept, [after]);
  keepRuns(kept, [after]);
  assert.deepEqual(readdirSync(join(kept, 'earlier')), [`${before.preset}-20260101T000000.json`]);
  const { studies } = await studiesOf({ out: tempFolder(t), kept });
  const { campaigns = [] } = studies.experiments.find(({ preset }) => preset === before.preset) ?? {};
  assert.deepEqual(
    campaigns.map(({ startedAt }) => startedAt?.slice(0, 4)),
    ['2026', '2099'],
  );
});

test('a kept run has what a repetition needs: seed, kernel, memory, governor, CPUs, Node', () => {
  const { plan, records } = generateRun({ blocks: 2 });
  const environment = environmentFixture(['chromium'], ['cable']);
  const { setUp } = studyRunOfRecords(plan, records, environment);
  assert.deepEqual(
    { ...setUp, firstFlights: [] },
    {
      seed: plan.seed,
      kernel: environment.machine.kernel,
      memoryBytes: environment.machine.memoryBytes,
      governor: environment.machine.governor,
      browserCpus: environment.pinning.browserCpus,
      serverCpus: environment.pinning.serverCpus,
      node: environment.node,
      firstFlights: [],
    },
  );
  assert.equal(studyRunOfRecords(plan, records, null).setUp, undefined, 'no environment was recorded');
});
