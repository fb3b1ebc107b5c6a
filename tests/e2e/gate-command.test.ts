import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Gate } from '../../src/core/model/gate.ts';
import { notificationSchema } from '../../src/core/model/notification.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readNightEvents } from '../../src/store/nights.ts';
import { startBusyListener } from '../support/busy-listener.ts';
import { readGate, readRunFile, readSummary, runCli, runCliHere, startCli } from '../support/cli.ts';
import { generateGateRun } from '../support/gate-run.ts';
import type { GeneratedRun } from '../support/generated-run.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { textsBelow } from '../support/texts-below.ts';

function writeRun(folder: string, plan: Plan, records: readonly TrialRecord[]): string {
  mkdirSync(join(folder, 'trials'), { recursive: true });
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
  writeFileSync(
    join(folder, 'journal.jsonl'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  return folder;
}

interface NotifiedTeam {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** What each was told must be this outcome, once, and the texts must not say where they are. */
  assertTold(gate: Gate, texts: readonly string[]): void;
}

/** A webhook and a collector that are too busy at first, and a command. */
async function teamOf(t: TestContext): Promise<NotifiedTeam> {
  const secrets = { webhook: 'hook-secret-77', collector: 'tenant-secret-31' };
  const webhook = await startBusyListener(t, { statuses: [503], secret: secrets.webhook });
  const collector = await startBusyListener(t, { statuses: [503], secret: secrets.collector });
  const folder = tempFolder(t);
  const file = join(folder, 'notify.yaml');
  const kept = join(folder, 'told.jsonl');
  const notify = [{ webhook: '${HOOK}' }, { command: ['sh', '-c', 'cat >> "$0"; echo >> "$0"', kept] }];
  writeFileSync(file, JSON.stringify({ notify }));
  return {
    flags: ['--notify', file, '--otlp', '${COLLECTOR}'],
    environment: { HOOK: webhook.url, COLLECTOR: collector.url },
    assertTold: (gate, texts) => {
      const piped = readFileSync(kept, 'utf8').trim().split('\n');
      assert.deepEqual([piped.length, webhook.sent.length, collector.sent.length], [1, 2, 2]);
      for (const text of [...piped, ...webhook.sent.map(({ body }) => body)]) {
        const { outcome, headline } = notificationSchema.parse(JSON.parse(text));
        assert.deepEqual([outcome, headline], [gate.outcome, gate.headline]);
      }
      assert.match(collector.sent[1]?.body ?? '', /h2h3\.metric\.median.*download-1mb/);
      for (const secret of Object.values(secrets))
        assert.ok(!texts.some((text) => text.includes(secret)), `${secret} is in a log or file`);
    },
  };
}

test('a night runs both browsers in the same blocks, judges, tells its team, and enters history and trend once', async (t) => {
  const results = tempFolder(t);
  const team = await teamOf(t);
  const night = await runCli(
    [
      'nightly',
      '--results',
      results,
      '--candidate',
      'embedded',
      '--baseline',
      'embedded',
      '--no-install',
      '--workload',
      'download-1mb',
      '--protocols',
      'h2',
      '--interims',
      '6',
      ...team.flags,
    ],
    team.environment,
  );
  const [run = ''] = readdirSync(results).filter((name) => name.endsWith('-nightly'));
  const folder = join(results, run);
  const gate = readGate(folder);
  // Figures of a real night: chance may call six blocks of the same browser worse, and then all must say so.
  const isWorse = gate.outcome === 'worse';
  const codes = { passed: 0, worse: 1, undecided: 5 } as const;
  assert.equal(night.code, codes[gate.outcome], night.stdout + night.stderr);
  // One version against itself: whatever is found is a false alarm, and the headline says so.
  assert.match(night.stdout, isWorse ? /Self-check: [1-9]\d* false alarm/ : /Self-check: /);
  assert.match(night.stderr, /is not calibrated/);
  assert.deepEqual([gate.blocks, gate.comparisons[0]?.blocks], [6, 6]);
  for (const file of ['gate.md', 'gate.junit.xml', 'report.html', '../history.html', '../index.html'])
    assert.ok(readRunFile(folder, file).length > 200, file);
  assert.deepEqual(
    readNightEvents(results).events.map(({ event, exitCode }) => [event, exitCode]),
    [
      ['begin', null],
      ['end', codes[gate.outcome]],
    ],
  );
  team.assertTold(gate, [night.stdout, night.stderr, ...textsBelow(results)]);
  const again = await runCliHere(['history', 'add', folder, '--results', results]);
  assert.match(again.stdout, /0 added, 0 replaced, 1 unchanged/);
  const query = await runCliHere(['history', 'query', '--results', results, '--metric', 'throughputMbps']);
  assert.match(query.stdout, /1 complete nights of 1[\s\S]*download-1mb\s+throughputMbps\s+h2\s/);
  const strict = await runCliHere(['gate', folder, '--results', results]);
  assert.equal(strict.code, codes[gate.outcome]);
  const allowed = await runCliHere(['gate', folder, '--allow-undecided', '--results', results]);
  assert.equal(allowed.code, isWorse ? 1 : 0);
  const accept = await runCliHere(['baseline', 'accept', '--run', folder, '--results', results]);
  assert.equal(accept.code, gate.outcome === 'passed' ? 0 : 2, accept.stderr);
  // A damaged history costs the next night nothing and is left as it is.
  const history = join(results, 'history.duckdb');
  writeFileSync(history, 'damaged');
  const refused = await runCliHere(['history', 'query', '--results', results]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /history rebuild/);
  assert.equal(readFileSync(history, 'utf8'), 'damaged');
  const rebuilt = await runCliHere(['history', 'rebuild', '--results', results]);
  assert.match(rebuilt.stdout, /1 added/);
});

test('a gate that its budget cannot hold is refused before its browsers are fetched', async (t) => {
  const words = ['gate', '--baseline', 'chromium@126', '--candidate', 'chromium@131', '--budget', '1s'];
  const { code, stderr } = await runCliHere(words, { H2H3_CACHE: tempFolder(t) });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /a budget of 1 s has no room for a block/);
  assert.doesNotMatch(stderr, /not installed yet|Fetching/);
});

test('what was interrupted and resumed ends as it would have: a red gate or limit stays red, and what may stay undecided may', async (t) => {
  const folder = tempFolder(t);
  const begun = ({ plan, records }: GeneratedRun, name: string, strict: boolean): string =>
    writeRun(join(folder, name), { ...plan, gate: true, ...(strict ? {} : { strict }) }, records);
  const resume = (path: string): ReturnType<typeof runCliHere> => runCliHere(['run', '--resume', path]);
  // Known to h2h3, as what is resumed must be.
  const workloads = [{ id: 'page-landing', kind: 'page' }] as const;
  const slower = generateGateRun({ workloads, slowdown: { 'new:h3': 1.3 } });
  const worse = begun(slower, 'worse', false);
  const red = await resume(worse);
  assert.equal(red.code, 1, red.stdout + red.stderr);
  assert.match(red.stdout, /Gate failed/);
  assert.equal(readGate(worse).outcome, 'worse');
  // What is written again later begins with what the gate said.
  assert.equal((await runCliHere(['report', worse])).code, 0);
  assert.equal(readSummary(worse).gateOutcome, 'worse');
  const noisy = generateGateRun({ workloads, noise: 0.5 });
  const open = await resume(begun(noisy, 'open', false));
  const strict = await resume(begun(noisy, 'strict', true));
  assert.deepEqual([open.code, strict.code], [0, 5], strict.stdout + strict.stderr);
  const { plan, records } = slower;
  const comparison = await resume(writeRun(join(folder, 'run'), plan, records));
  assert.equal(comparison.code, 0, 'a run that is no gate goes by its trials');
  const limited = (name: string, limit: string): ReturnType<typeof runCliHere> =>
    resume(writeRun(join(folder, name), { ...plan, budgets: [limit], strict: true }, records));
  const exceeded = await limited('exceeded', 'plt<1ms');
  const unknown = await limited('unknown', 'inp<200ms');
  assert.deepEqual(
    [exceeded.code, unknown.code],
    [1, 5],
    'and one with limits by these, as strict as it was begun',
  );
});

test('a gate says how to go on when it is interrupted, and goes on as a gate', async (t) => {
  const out = join(tempFolder(t), 'gate');
  const both = [
    '--baseline',
    'curl',
    '--candidate',
    'curl',
    '--protocols',
    'h2',
    '--workload',
    'download-1mb',
  ];
  const gate = startCli([
    'gate',
    ...both,
    '--network',
    'loopback',
    '--interims',
    '6',
    '--force',
    '--out',
    out,
  ]);
  await gate.said(/\[2\//);
  gate.child.kill('SIGINT');
  const { code, stderr } = await gate.result;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /nothing is lost\. Continue with: {2}npx h2h3 run --resume /);
  const resumed = await runCli(['run', '--resume', out]);
  const { outcome, blocks } = readGate(out);
  assert.equal(blocks, 6);
  for (const file of ['report.html', 'report.md', 'card.svg', 'gate.md']) {
    const text = readRunFile(out, file);
    assert.match(text, /\(candidate\)/, file);
    assert.doesNotMatch(text, /\(arm \d\)/, file);
  }
  assert.equal(resumed.code, { passed: 0, worse: 1, undecided: 5 }[outcome], resumed.stdout + resumed.stderr);
});

test('a gate on recorded runs: worse is 1, empty is 2, all trials lost is 4, a lost candidate cannot pass', async (t) => {
  const folder = tempFolder(t);
  const { plan, records } = generateGateRun({ slowdown: { 'new:h3': 1.3 } });
  const worse = await runCliHere(['gate', writeRun(join(folder, 'worse'), plan, records)]);
  assert.equal(worse.code, 1, worse.stderr);
  assert.match(
    worse.stdout.replace(/\s+/g, ' '),
    /the regression is of HTTP\/3, not of the browser as a whole/,
  );
  const notOne = await runCliHere([
    'baseline',
    'accept',
    '--run',
    join(folder, 'worse'),
    '--results',
    folder,
  ]);
  assert.match(notOne.stderr, /its gate says worse/);
  const forgiven = await runCliHere(['gate', join(folder, 'worse'), '--margin', '60%']);
  assert.equal(forgiven.code, 0, forgiven.stdout);
  const empty = await runCliHere(['gate', writeRun(join(folder, 'empty'), plan, [])]);
  assert.equal(empty.code, 2);
  assert.match(empty.stderr, /holds no trial record/);
  const broken = (record: TrialRecord): TrialRecord => ({
    ...record,
    status: 'failed',
    reason: 'crashed',
    metrics: {},
  });
  const lost = await runCliHere(['gate', writeRun(join(folder, 'lost'), plan, records.map(broken))]);
  assert.equal(lost.code, 4);
  assert.match(lost.stderr, /no trial of .* is valid[\s\S]*160 × failed: crashed/);
  const half = records.map((record) => (record.arm.startsWith('new') ? broken(record) : record));
  const candidate = await runCliHere(['gate', writeRun(join(folder, 'candidate'), plan, half)]);
  assert.equal(candidate.code, 4, candidate.stdout);
  const noArguments = await runCliHere(['gate']);
  assert.deepEqual([noArguments.code, /wants a run directory/.test(noArguments.stderr)], [2, true]);
  const notTwice = await runCliHere(['calibrate', join(folder, 'worse'), '--results', folder]);
  assert.deepEqual([notTwice.code, /is no A\/A run/.test(notTwice.stderr)], [2, true]);
});
