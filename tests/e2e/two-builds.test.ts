import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { carriedOut, launcher } from '../support/action.ts';
import { projectDir, readGate, readPlan, readRecords, runCliHere, startProgram } from '../support/cli.ts';
import { processesWith, slowness } from '../support/processes.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { tempFolder } from '../support/temp-folder.ts';

const program = join(projectDir, 'tests/support/slow-build.ts');
/** The command line of a build that answers so late. */
const build = (delayMs: number, ...more: readonly (string | number)[]): string =>
  [process.execPath, '--disable-warning=ExperimentalWarning', program, delayMs, ...more].join(' ');

// Two comparisons cannot be decided by fewer blocks.
const quickly = ['--network', 'loopback', '--interims', '7', '--margin', '10%'];

test('a gate finds the slower of two builds over both protocols, the recipe of pull requests runs it, and both end with the run', async (t) => {
  const folder = tempFolder(t);
  for (const [name, delayMs] of [
    ['baseline', 20],
    // More than blocks of a busy machine differ by.
    ['candidate', 620],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ scripts: { start: build(delayMs) } }));
  }
  // The usual two recorded blocks prove nothing that one does not.
  writeFileSync(
    join(folder, 'plan.yaml'),
    'app: { addresses: [/] }\nclients: [embedded]\nsequential: true\nrepetitions: 20\nrecordedBlocks: 1\n',
  );
  const command = recipeCommand()
    .replace(/^npx h2h3/, launcher)
    .replace(/--network 4g --margin 5%/, [...quickly, '--preset', 'plan.yaml'].join(' '));
  const { code, stdout, stderr } = await startProgram(['bash', '-c', command], {}, { cwd: folder }).result;
  assert.equal(code, 1, `${stdout}${stderr}`);
  assert.match(
    stderr,
    /^the gate judges h2\+app=candidate against h2\+app=baseline, and h3\+app=candidate against h3\+app=baseline$/m,
  );
  assert.match(stdout, /^Gate failed: (pages load|“.*” loads) .*slower/m);
  const out = join(folder, 'results/pull-request');
  const { outcome, comparisons } = readGate(out);
  assert.equal(outcome, 'worse');
  assert.deepEqual(
    comparisons.map(({ verdict }) => verdict),
    ['worse', 'worse'],
    'over each protocol',
  );
  for (const { arm, status } of readRecords(out)) assert.equal(status, 'ok', arm);
  assert.deepEqual(processesWith(program), [], 'nothing is left running');
  assert.ok(existsSync(join(out, 'gate.md')), 'the comment');
});

/** The step of the recipe that judges. */
function recipeCommand(): string {
  const { jobs } = parse(readFileSync(join(projectDir, 'examples/pull-request/two-builds.yaml'), 'utf8')) as {
    jobs: { gate: { steps: { name?: string; run?: string }[] } };
  };
  return jobs.gate.steps.find(({ name }) => name === 'Gate')?.run ?? '';
}

test('a build is not slower than itself, as the action has it judged', async (t) => {
  const folder = tempFolder(t);
  // What recorded blocks add to a gate of builds is told by the slower build.
  const plan =
    'app: { addresses: [/] }\nclients: [embedded]\nnetworks: [loopback]\nlooks: [6]\nsequential: true\nrecordedBlocks: 0\n';
  writeFileSync(join(folder, 'plan.yaml'), plan);
  // Over one protocol, which the action leaves to the gate: that both are judged is told by the slower build.
  // Of a build against itself six blocks lie beyond the usual margin on one side by chance, on a busy machine once in some hundred runs.
  const overOne = join(folder, 'over-one.sh');
  const more = '--protocols h3 --margin 50%';
  writeFileSync(overOne, `case $1 in gate) set -- "$@" ${more} ;; esac\nexec ${launcher} "$@"\n`);
  const { result, outputs, code } = await carriedOut(
    folder,
    { 'baseline-command': build(30), 'candidate-command': build(30), preset: 'plan.yaml', pages: '/\n' },
    { H2H3: `sh ${overOne}` },
  );
  const said = `${result.stdout}${result.stderr}`;
  assert.ok(['passed', 'undecided'].includes(outputs['verdict'] ?? ''), said);
  assert.equal(code, outputs['verdict'] === 'passed' ? 0 : 5, said);
  assert.equal(readPlan(outputs['report'] ?? '').app?.addresses.length, 1);
});

test('a build that dies, opens no port, or stands in the place of the other is refused with what it printed', async (t) => {
  const folder = tempFolder(t);
  const refused = async (
    exitCode: number,
    sentence: RegExp,
    [baseline, candidate]: readonly [string, string],
    ...flags: readonly string[]
  ): Promise<void> => {
    const run = ['gate', '--baseline-command', baseline, '--candidate-command', candidate, ...flags];
    const ended = await runCliHere([...run, ...quickly, '--out', join(folder, 'run')]);
    assert.match(ended.stderr, sentence);
    assert.equal(ended.code, exitCode, ended.stderr);
    assert.deepEqual(processesWith(program), [], 'nothing is left running');
  };
  const well = build(0);
  await refused(4, /^h2h3: the candidate build ended \(exit code 127\) before it was ready/m, [
    well,
    'no-such-program-of-mine',
  ]);
  const port = await chooseAnyPort();
  const other = await chooseAnyPort();
  const taken = ['--baseline', `http://localhost:${port}`, '--candidate', `http://localhost:${other}`];
  await refused(
    4,
    /the candidate build ended \(exit code 9\)[^]*the build cannot listen: listen EADDRINUSE/,
    [build(0, port), build(0, port)],
    ...taken,
  );
  await refused(
    2,
    new RegExp(`both builds are said to listen at localhost:${port}, where only one of them can`),
    [well, well],
    '--baseline',
    `http://127.0.0.1:${port}`,
    '--candidate',
    `http://localhost:${port}/`,
  );
  const plan = join(folder, 'plan.yaml');
  // Long enough for its shell to begin, on a machine that took so long for a program just now.
  const seconds = Math.ceil(3 * slowness());
  const mute = { command: 'echo deaf; exec sleep 1000', readyWithinSeconds: seconds };
  writeFileSync(
    plan,
    JSON.stringify({
      app: { addresses: ['/'], builds: { baseline: { command: well }, candidate: mute } },
      arms: ['h3+app=baseline', 'h3+app=candidate'],
      exploratory: true,
    }),
  );
  const { code, stderr } = await runCliHere(['run', plan, '--out', join(folder, 'mute')]);
  assert.equal(code, 4, stderr);
  assert.match(
    stderr,
    /the candidate build was not ready within \d+ s: nothing answers at http:\/\/localhost:\d+\/[^]*deaf[^]*PORT/,
  );
});
