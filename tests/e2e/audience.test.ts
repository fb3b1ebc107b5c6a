import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  lightBrowser,
  readPlan,
  readRecords,
  readRunFile,
  readSummary,
  runCli,
  runCliHere,
} from '../support/cli.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('each kind of user is measured over a network of their own, and one answer is weighted over all of them', async (t) => {
  const lacking = await namespaceLack();
  if (lacking !== null) return t.skip(lacking);
  const folder = tempFolder(t);
  const file = join(folder, 'users.csv');
  writeFileSync(file, 'share,rttMs,downMbps,upMbps\n3,20,30,10\n1,120,8,2\n');
  const out = join(folder, 'run');
  const asked = ['run', '--workload', 'page-landing', '--audience', file, '--repetitions', '1'];
  const { stderr } = await runCli([
    ...asked,
    ...lightBrowser,
    '--recorded',
    '0',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
  const refused = pathRefused(stderr);
  if (refused !== null) return t.skip(refused);
  const { audience } = readPlan(out);
  assert.deepEqual(
    audience?.conditions.map(({ share, rttMs, downMbps, upMbps }) => [share, rttMs, downMbps, upMbps]),
    [
      [0.75, 20, 30, 10],
      [0.25, 120, 8, 2],
    ],
  );
  const records = readRecords(out);
  assert.equal(records.length, 4, stderr);
  for (const { arm, network, status, reason } of records)
    assert.ok(status === 'ok' || machineWasLate(reason), `${arm} over ${network}: ${reason}`);
  if (records.some(({ status }) => status !== 'ok')) return t.skip('the machine was late');
  const whole = readSummary(out).comparisons.find(
    ({ primary, network }) => primary && network === 'audience',
  );
  assert.ok(whole?.ratio !== null && whole?.ratio !== undefined, 'one comparison for all of them');
  const logRatioOf = (wanted: string | undefined): number => {
    const pltMs = (arm: string): number =>
      Number(records.find((record) => record.arm === arm && record.network === wanted)?.metrics['pltMs']);
    return Math.log(pltMs('h3') / pltMs('h2'));
  };
  const [near, far] = audience?.conditions.map(({ network }) => network) ?? [];
  const weighted = Math.exp(0.75 * logRatioOf(near) + 0.25 * logRatioOf(far));
  assert.ok(Math.abs(whole.ratio - weighted) < 1e-6, `${whole.ratio} is not ${weighted}`);
  assert.ok(existsSync(join(out, 'audience.csv')));
  assert.match(readRunFile(out, 'report.html'), /id="audience"/);
});

test('networks that are named besides an audience, and a file with an absurd figure, are refused', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'users.csv');
  writeFileSync(file, 'share,rttMs,downMbps\n1,50,10\n1,-3,10\n');
  const refused = async (...more: readonly string[]): Promise<string> => {
    const run = ['run', '--workload', 'page-landing', '--audience', file, '--out', join(folder, 'run')];
    const { code, stderr } = await runCliHere([...run, ...more]);
    assert.equal(code, 2, stderr);
    return stderr;
  };
  assert.match(await refused(), /-3/);
  assert.match(await refused('--network', '4g'), /an audience has networks of its own/);
});
