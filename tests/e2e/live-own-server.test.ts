import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runMarkerVariable } from '../../src/core/system/processes/marked-processes.ts';
import { isAlive } from '../../src/core/system/processes/process-identity.ts';
import { projectDir, readRecords, runCli, runCliHere } from '../support/cli.ts';
import { answers, ownServer, type OwnServer } from '../support/own-server.ts';
import { goneLimitMs, processesWith, waitUntil } from '../support/processes.ts';

test('a server that a command line starts is measured over both protocols, and ends with the run', async (t) => {
  const own = await ownServer(t);
  const out = join(own.folder, 'run');
  const { code, stderr } = await own.run(own.caddyFor(['h1', 'h2', 'h3']), '--recorded', '0', '--out', out);
  assert.equal(code, 0, stderr);
  assert.deepEqual(
    readRecords(out)
      .map(({ arm, status }) => [arm, status])
      .toSorted(),
    [
      ['h2', 'ok'],
      ['h3', 'ok'],
    ],
  );
  assert.equal(await answers(own.port), false, 'the server has ended');
});

test('a server under test that dies is named, and its run can go on', async (t) => {
  const own = await ownServer(t);
  const out = join(own.folder, 'run');
  const program = join(projectDir, 'tests/support/dying-server.ts');
  const { certificateFile, keyFile, port } = own;
  const words = [process.execPath, program, certificateFile, keyFile, port, join(own.folder, 'died')];
  const { code, stderr } = await own.run(
    words.join(' '),
    '--server-protocol',
    'h2',
    '--arms',
    'h2,h2',
    '--repetitions',
    '2',
    '--recorded',
    '0',
    '--out',
    out,
  );
  assert.equal(code, 4, stderr);
  assert.match(stderr, /the server under test ended \(exit code 7\) while the run needed it/);
  const before = readRecords(out).length;
  assert.ok(before > 0 && before < 4, `${before} records: a trial that lost its server is not kept`);
  const again = await runCli(['run', '--resume', out], { OWN_TITLE: 'another' });
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(
    readRecords(out).map(({ status }) => status),
    Array.from({ length: 4 }, () => 'ok'),
  );
});

test('a server that cannot be started, is never ready or does not speak what it should is named in one sentence', async (t) => {
  const own = await ownServer(t);
  const out = join(own.folder, 'run');
  const refused = async (
    exitCode: number,
    sentence: RegExp,
    run: ReturnType<typeof runCliHere>,
  ): Promise<void> => {
    const { code, stderr } = await run;
    assert.match(stderr, sentence);
    assert.equal(code, exitCode, stderr);
    assert.equal(await answers(own.port), false, 'nothing is left running');
  };
  const toFolder = ['--out', out];
  await refused(
    4,
    /the server under test ended \(exit code 127\) before it was ready/,
    own.run('no-such-program-of-mine', ...toFolder),
  );
  await refused(
    2,
    /the server under test does not speak h3: nothing answers QUIC at UDP port/,
    own.run(own.caddyFor(['h1', 'h2']), '--out', `${out}-h3`),
  );
  await refused(
    2,
    /arm "h3" needs h3, which the server under test does not speak/,
    own.run(own.caddyFor(['h1', 'h2']), '--server-protocol', 'h2', '--out', `${out}-arm`),
  );
  assert.equal(existsSync(`${out}-arm`), false);
  const plan = join(own.folder, 'plan.yaml');
  const server = { command: ['sleep', '1000'], readyWithinSeconds: 0.5 };
  writeFileSync(plan, JSON.stringify({ urls: [own.url], repetitions: 1, live: { server } }));
  await refused(
    4,
    /the server under test was not ready within 0\.5 s: nothing answers at https:/,
    runCli(['run', plan, '--exploratory', '--quick-start', '--out', `${out}-never`]),
  );
  await refused(
    2,
    /--server-ready is about a server that --server-command starts/,
    runCliHere(['run', '--url', own.url, '--server-ready', own.url]),
  );
});

test('a server that answers before the one under test is started is not measured in its place', async (t) => {
  const own = await ownServer(t);
  const { startServerProcess } = await import('../../harness/servers/server-process.ts');
  const [program = '', ...rest] = own.caddyFor(['h1', 'h2', 'h3']).split(' ');
  const before = await startServerProcess({
    name: 'another server',
    command: [program, ...rest],
    environment: { HOME: own.folder },
    logFile: join(own.folder, 'another.log'),
  });
  t.after(() => before.stop());
  while (!(await answers(own.port))) assert.ok(before.alive(), await before.log());
  const { code, stderr } = await own.run(own.caddyFor(['h1', 'h2', 'h3']), '--out', join(own.folder, 'run'));
  assert.equal(code, 2, stderr);
  assert.match(stderr, /something answers at localhost:\d+ before the server under test is started/);
});

/** Kills a run, with both that would clean up after it: then what it started lives on. */
async function killRun(runId: string, { watchers }: { readonly watchers: boolean }): Promise<void> {
  const main = Number(runId.split('-')[0]);
  // It would start others.
  process.kill(main, 'SIGSTOP');
  const watching = processesWith(runId).filter(({ commandLine }) => /(reaper|deputy)\.ts/.test(commandLine));
  assert.equal(watching.length, 2);
  for (const pid of [...(watchers ? watching.map((row) => row.pid) : []), main]) process.kill(pid, 'SIGKILL');
  await waitUntil('the end of the run', goneLimitMs, () => !isAlive(main));
}

/** A server that first starts something which has neither its session nor its environment. */
function leaving(own: OwnServer): { readonly command: string; readonly left: () => number } {
  const program = `sleep 600.${own.port}`;
  return {
    command: `setsid env -i ${program} & exec ${own.caddyFor(['h1', 'h2', 'h3'])}`,
    left: () => processesWith(program).filter(({ commandLine }) => commandLine === program).length,
  };
}

/** The id of the run that started the server. */
function runIdOf(own: OwnServer): string {
  const [server] = processesWith(own.folder).filter(
    ({ commandLine }) => !commandLine.includes('--server-command'),
  );
  const environment = readFileSync(`/proc/${server?.pid}/environ`, 'latin1').split('\0');
  const marker = environment.find((line) => line.startsWith(`${runMarkerVariable}=`));
  return marker?.slice(runMarkerVariable.length + 1) ?? '';
}

test('what a server starts in another session without its environment ends with the run, and with a killed one', async (t) => {
  const own = await ownServer(t);
  const { command, left } = leaving(own);
  const whole = join(own.folder, 'whole');
  const { code, stderr } = await own.run(command, '--arms', 'h2', '--recorded', '0', '--out', whole);
  assert.equal(code, 0, stderr);
  assert.equal(left(), 0);
  const killed = own.start(command, '--out', join(own.folder, 'killed'));
  await killed.until('its server answered', () => answers(own.port));
  await killed.until('what it leaves runs', () => left() === 1);
  await killRun(runIdOf(own), { watchers: false });
  await waitUntil('it is ended', goneLimitMs, () => left() === 0);
});

test('a server that a killed run left is ended by the next run, and not measured in its place', async (t) => {
  const own = await ownServer(t);
  const { command, left } = leaving(own);
  const first = own.start(command, '--out', join(own.folder, 'first'));
  await first.until('its server answered', () => answers(own.port));
  await first.until('what it leaves runs', () => left() === 1);
  await killRun(runIdOf(own), { watchers: true });
  assert.equal(await answers(own.port), true, 'nobody was left to end it');
  assert.equal(left(), 1);
  const second = join(own.folder, 'second');
  const { code, stderr } = await own.run(command, '--arms', 'h2', '--recorded', '0', '--out', second);
  assert.equal(code, 0, stderr);
  assert.equal(await answers(own.port), false);
  assert.equal(left(), 0);
});
