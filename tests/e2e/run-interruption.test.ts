import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { randomUUID } from 'node:crypto';
import {
  type RunningCli,
  processesWith,
  readPlan,
  readRecords,
  readRunFile,
  runCli,
  startCli,
  startProgram,
} from '../support/cli.ts';
import { goneLimitMs, waitUntil } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

const page = ['--workload', 'page-landing'];
/** The least work that has a browser, timed trials and recorded ones. */
const download = ['--workload', 'download-1mb', '--client', 'embedded'];

function start(out: string, workload: readonly string[]): RunningCli {
  return startCli([
    'run',
    ...workload,
    '--repetitions',
    '1',
    '--recorded',
    '1',
    '--exploratory',
    '--quick-start',
    '--out',
    out,
  ]);
}

function temporaryFolders(pid: number | undefined): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`h2h3-${pid}-`));
}

/** Nothing that the run with this process id started may be left. */
async function assertNothingLeft(pid: number | undefined): Promise<void> {
  const left = (): string[] => [...processesWith(`H2H3_RUN_ID=${pid}-`), ...temporaryFolders(pid)];
  await waitUntil('nothing is left', goneLimitMs, () => left().length === 0);
}

async function assertResumes(out: string): Promise<void> {
  const before = existsSync(join(out, 'journal.jsonl')) ? readRunFile(out, 'journal.jsonl') : '';
  const { code, stderr } = await runCli(['run', '--resume', out]);
  assert.equal(code, 0, stderr);
  const ids = readRecords(out).map(({ trialId }) => trialId);
  assert.deepEqual(
    ids,
    readPlan(out).trials.map(({ trialId }) => trialId),
    'the same trials, none twice, none lost',
  );
  assert.ok(readRunFile(out, 'journal.jsonl').startsWith(before), 'what was journalled is untouched');
}

test(
  'after SIGKILL at any moment nothing is left running and the run resumes to the same trials',
  { skip },
  async (t) => {
    const folder = tempFolder(t);
    // While the server starts, and in a trial; `npm run torture` has moments by chance.
    for (const [delayMs, workload] of [
      [300, download],
      [2900, page],
    ] as const) {
      const out = join(folder, `run-${delayMs}`);
      const cli = start(out, workload);
      await cli.until('it had a plan', () => existsSync(join(out, 'plan.json')));
      await sleep(delayMs);
      const pid = cli.child.pid;
      cli.child.kill('SIGKILL');
      await cli.result;
      await assertNothingLeft(pid);
      await assertResumes(out);
    }
  },
);

test('Ctrl-C ends everything, says how to go on, and leaves a resumable run', { skip }, async (t) => {
  const out = join(tempFolder(t), 'run');
  const cli = start(out, download);
  await cli.said(/\[1\/4\]/);
  cli.child.kill('SIGINT');
  const { code, stderr } = await cli.result;
  assert.equal(code, 130, stderr);
  assert.match(stderr, /h2h3 run --resume/);
  await assertNothingLeft(cli.child.pid);
  await assertResumes(out);
});

const npm = ['npm', 'run', '--silent', 'h2h3', '--'] as const;
const npx = ['npx', '--no-install', 'h2h3'] as const;
/**
 * How people start it who do not start the launcher, and the exit code that they see: npx ends with its shell. SIGINT
 * for npx alone is not among them: that shell keeps it until what it started has ended, so nobody else hears of it.
 */
const starts = [
  { words: npm, signal: 'SIGTERM', codes: [130] },
  { words: npm, signal: 'SIGINT', codes: [130] },
  { words: npx, signal: 'SIGTERM', codes: [143, null] },
] as const;

test('a signal for npm or npx ends the run under it, resumable, with nothing left', { skip }, async (t) => {
  const folder = tempFolder(t);
  for (const { words, signal, codes } of starts) {
    const how = `${signal} to ${words[0]}`;
    const out = join(folder, `${words[0]}-${signal}`);
    const mark = randomUUID();
    const plan = ['--workload', 'download-10mb', '--client', 'embedded', '--repetitions', '2'];
    const rest = ['--recorded', '0', '--exploratory', '--quick-start', '--out', out];
    const cli = startProgram([...words, 'run', ...plan, ...rest], { H2H3_TEST_MARK: mark });
    await cli.said(/\[1\/4\]/);
    cli.child.kill(signal);
    const { code, stderr } = await cli.result;
    assert.ok((codes as readonly (number | null)[]).includes(code), `${how}: ${code}`);
    assert.match(stderr, /h2h3 run --resume/, how);
    await assertNothingWith(`H2H3_TEST_MARK=${mark}`, how);
    assert.ok(readRecords(out).length < 4, `${how}: the run did not go on to its end`);
    assert.equal(existsSync(join(out, 'report.html')), false, how);
    if (words === npm && signal === 'SIGTERM') await assertResumes(out);
  }
});

async function assertNothingWith(mark: string, how: string): Promise<void> {
  await waitUntil(`${how}: nothing is left`, goneLimitMs, () => processesWith(mark).length === 0);
}
