import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { planSchema } from '../../../../src/core/model/plan.ts';
import { runCli, runCliHere } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('what a plan cannot be, and words that belong elsewhere, are refused by name', async () => {
  const expectations = [
    [['plan', 'download', '--arms', 'h2,h3+tls=1.2'], /QUIC has TLS 1\.3 in it and no other/],
    [['plan', '--arms', 'h2', 'h3', 'web'], /one preset or plan file .* got h3 web[\s\S]*--arms h2,h3/],
    [['run', 'web', '--margin', '3%'], /--margin belongs to `gate`[\s\S]*margins: \{ pltMs/],
  ] as const;
  for (const [words, said] of expectations) {
    const { code, stderr } = await runCliHere(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, said);
  }
});

test('a gate is planned in its own words: pairs, interim analyses and margin are those that it will have', async () => {
  const words = ['--baseline', 'nginx@1.26', '--candidate', 'nginx@1.30', '--margin', '5%', '--json'];
  const { code, stdout, stderr } = await runCliHere(['plan', ...words]);
  assert.equal(code, 0, stderr);
  const plan = planSchema.parse(JSON.parse(stdout));
  assert.deepEqual(
    plan.arms.map(({ factors }) => [factors.protocol, factors.server]),
    [
      ['h2', 'nginx@1.26'],
      ['h3', 'nginx@1.26'],
      ['h2', 'nginx@1.30'],
      ['h3', 'nginx@1.30'],
    ],
  );
  assert.ok((plan.interims?.length ?? 0) > 1, 'it is judged while it runs');
  assert.equal(plan.margins?.pltMs, 0.05);
  const half = await runCliHere(['plan', '--baseline', 'nginx@1.26']);
  assert.equal(half.code, 2);
  assert.match(half.stderr, /--baseline and --candidate/);
});

test('help is broken at words and names commands as they are typed', async () => {
  const { stdout } = await runCli(['run', '--help'], { COLUMNS: '80' });
  const options = stdout.slice(0, stdout.indexOf('\nExamples:'));
  assert.deepEqual(
    options.split('\n').filter((line) => line.length > 80),
    [],
  );
  assert.match(stdout, /\n {2}npx h2h3 run web /);
});

test('a plan of video says how much of stalls it shows, and what no stall would leave', async () => {
  const { stdout } = await runCliHere(['plan', 'video', '--network', 'loopback']);
  const said = stdout.replaceAll(/\s+/g, ' ');
  assert.match(
    said,
    /[Ss]talls: 6 minutes of play a side\. Without a stall that leaves fewer than 30 an hour\./,
  );
  const { stdout: pages } = await runCliHere(['plan', 'web', '--network', 'loopback']);
  assert.doesNotMatch(pages, /stalls/);
});

test('a plan for an audience lists its segments with their shares, and who is left out; a gate has one too', async (t) => {
  const users = join(tempFolder(t), 'users.csv');
  writeFileSync(
    users,
    'name,share,rttMs,downMbps,upMbps\nCable,60,20,50,10\nMobile,15,90,8,2\nOther,25,,8,2\n',
  );
  const words = ['--workload', 'page-agency', '--audience', users];
  const { stdout } = await runCliHere(['plan', ...words]);
  assert.match(
    stdout,
    /60 %\tCable, 20 ms at 50 Mbit\/s\t10 Mbit\/s\t1\taudience-20ms-50mbps-\w+\n15 %\tMobile/,
  );
  assert.match(stdout, /left out: 25 % without a round trip: nothing can stand for them/);
  assert.match(stdout, /more than 20 % is left out, so nothing will be said of the whole/);
  assert.match(stdout, /page: primary pltMs, 1 comparison,/);
  const versions = ['--baseline', 'nginx@1.26', '--candidate', 'nginx@1.30', '--json'];
  const gate = await runCliHere(['plan', ...words, ...versions]);
  const plan = planSchema.parse(JSON.parse(gate.stdout));
  assert.deepEqual(
    plan.audience?.conditions.map(({ share }) => share),
    [0.6, 0.15],
  );
  const wrong = await runCliHere(['plan', ...words, '--network', '4g']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /an audience has networks of its own/);
});

test('a plan for an audience says where a metric leaves all users without one answer', async (t) => {
  const users = join(tempFolder(t), 'users.csv');
  writeFileSync(users, 'share,rttMs,downMbps\n1,20,50\n1,90,8\n');
  const file = join(tempFolder(t), 'plan.yaml');
  writeFileSync(
    file,
    `workloads: [video-streaming-720p-2s-dynamic]\nprimary: { video: qoeVmaf }\naudience: ${users}\n`,
  );
  const { stdout, stderr } = await runCliHere(['plan', file]);
  assert.match(
    stdout,
    /no single answer for all users \(video\): qoeVmaf is compared by difference/i,
    stderr,
  );
});
