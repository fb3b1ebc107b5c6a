import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Plan } from '../../src/core/model/plan.ts';
import { runCli, startCli, type CliResult } from '../support/cli.ts';
import { writeFinishedRun } from '../support/finished-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** What shows that something of a plan was carried out. */
interface Traps {
  /** A file that the plan's commands and scripts would make. */
  readonly mark: string;
  /** A named pipe: whoever reads it waits without end. */
  readonly pipe: string;
  /** Where connections are counted. */
  readonly port: number;
  readonly connections: () => number;
}

async function traps(t: TestContext, folder: string): Promise<Traps> {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { mark: join(folder, 'mark'), pipe, port, connections: () => connections };
}

/** A finished run whose plan names a trap wherever a plan can name a program, a file or an address. */
function trappedRun(path: string, { mark, pipe, port }: Traps): void {
  writeFinishedRun(path, 1);
  const file = join(path, 'plan.json');
  const plan = JSON.parse(readFileSync(file, 'utf8')) as Plan;
  const script = join(path, '..', 'script.mjs');
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, '');`,
  );
  const trace = { rateMbps: null, queueBytes: 3000, trace: { format: 'mahimahi', file: pipe } };
  const trapped = {
    ...plan,
    command: `touch ${mark}`,
    shard: { index: 1, count: 1 },
    urls: [`https://127.0.0.1:${port}/`],
    app: { addresses: [`http://127.0.0.1:${port}/`] },
    live: {
      server: { command: `touch ${mark}` },
      login: script,
      ca: pipe,
      storageState: pipe,
      headers: [`X: \${file:${pipe}}`],
      cookies: [`a=\${file:${pipe}}`],
    },
    script: { file: script, sha256: '0'.repeat(64) },
    customSites: [{ kind: 'archive', id: 'site', directory: pipe, indexHash: '0', options: {} }],
    customNetworks: [{ id: 'traced', title: 'x', source: 'x', up: trace, down: trace }],
  };
  writeFileSync(file, JSON.stringify(trapped));
}

/** Reading a run takes seconds; whoever waits for the pipe is ended, and told of. */
async function ended(args: readonly string[]): Promise<CliResult> {
  const { child, result } = startCli(args);
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const outcome = await result;
  clearTimeout(timer);
  assert.equal(outcome.signal, null, `${args.join(' ')} waits for something: ${outcome.stderr}`);
  return outcome;
}

test('whoever reads the run of somebody else starts, reads and reaches nothing that its plan names', async (t) => {
  const folder = tempFolder(t);
  const trap = await traps(t, folder);
  const one = join(folder, 'one');
  const other = join(folder, 'other');
  trappedRun(one, trap);
  trappedRun(other, trap);
  for (const [expected, ...args] of [
    [0, 'compare', one, other],
    [0, 'analyse', one],
    [0, 'report', one],
    [0, 'diagnose', one],
  ] as const) {
    const { code, stderr } = await ended(args);
    assert.equal(code, expected, `${args.join(' ')}: ${stderr}`);
  }
  const served = startCli(['report', '--serve', one]);
  for await (const chunk of served.child.stdout ?? []) if (String(chunk).includes('http://')) break;
  served.child.kill('SIGINT');
  await served.result;
  assert.equal(existsSync(trap.mark), false, 'nothing was started');
  assert.equal(trap.connections(), 0, 'nothing was asked');
});

test('whoever would carry the run out refuses it by the fields that act', async (t) => {
  const folder = tempFolder(t);
  const trap = await traps(t, folder);
  const shard = join(folder, 'shard');
  trappedRun(shard, trap);
  for (const args of [
    ['merge', shard, '--out', join(folder, 'merged')],
    ['pack', shard, '--out', join(folder, 'run.zip')],
  ]) {
    const { code, stderr } = await ended(args);
    assert.equal(code, 2, stderr);
    for (const words of [
      /urls\[0\] .*loads a live address/,
      /app\.addresses .*asks an app/,
      /live\.login .*runs a script/,
      /live\.server .*starts a program/,
      /live\.headers reads secrets/,
    ])
      assert.match(stderr, words);
  }
  const archive = join(folder, 'reading.zip');
  const packed = await runCli(['pack', shard, '--for-reading', '--out', archive]);
  assert.equal(packed.code, 0, packed.stderr);
  const reproduced = await ended(['reproduce', archive, '--out', join(folder, 'again')]);
  assert.equal(reproduced.code, 2, reproduced.stderr);
  const asked = await ended(['reproduce', archive, '--out', join(folder, 'again'), '--trust']);
  assert.equal(asked.code, 2, asked.stderr);
  assert.match(asked.stderr, /--trust asks at a terminal, and there is none/);
  assert.equal(existsSync(join(folder, 'again')), false, 'nothing was unpacked');
  assert.equal(existsSync(trap.mark), false, 'nothing was started');
  assert.equal(trap.connections(), 0, 'nothing was asked');
});
