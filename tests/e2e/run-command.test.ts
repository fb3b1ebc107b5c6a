import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { planSchema } from '../../src/core/model/plan.ts';
import { projectDir, runCli, runCliHere, startProgram, type CliResult } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const small = ['--workload', 'page-landing,download-1mb', '--exploratory'];

test('a port in use is refused by name', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.after(() => holder.close());
  const address = holder.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { code, stderr } = await runCliHere([
    'run',
    ...small,
    '--port',
    String(port),
    '--out',
    join(tempFolder(t), 'run'),
  ]);
  assert.equal(code, 2);
  assert.match(stderr, new RegExp(`port ${port} is in use`));
});

test('bad input is refused with what was expected and exit code 2', async (t) => {
  const out = join(tempFolder(t), 'run');
  const cases: readonly (readonly [string[], RegExp])[] = [
    [['run', 'wob'], /unknown preset "wob"[\s\S]*web/],
    [['run', 'web', '--workload', 'page-tabla'], /unknown workload "page-tabla"[\s\S]*page-tabler/],
    [['run', 'web', '--client', 'netscape'], /netscape/],
    [['run', 'web', '--network', 'avian'], /unknown network "avian"/],
    [['run', 'web', '--quick-start'], /a quick start is for exploratory plans/],
    [['exec', '--network', 'cable', '--check', 'ful', '--', 'true'], /Did you mean "?full/i],
    [['run', 'web', '--server', 'iis'], /unknown server "iis"/],
    [['run', 'web', '--arms', 'h2,h4'], /unknown arm "h4"/],
    [['run', 'web', '--repetitions', 'many'], /whole number/],
    [['run', 'web', '--arms', 'h2+congestion=bbr/reno,h3'], /more congestion controls than there are links/],
    [['run', 'web', '--frobnicate'], /unknown option/],
    [['run', 'web', '--repetitions', '3'], /could never decide[\s\S]*--repetitions 4/],
    [['run', 'web', '--budget', 'soon'], /not a duration/],
    [['run', 'web', '--probe', 'x-ray'], /probes/],
    [['run', './no-such-plan.yaml'], /no such plan file/],
    [['run', '--resume', out], /does not exist/],
    [['run'], /nothing to run/],
    [['analyse', out], /does not exist/],
    [['describe', 'weather'], /nothing is called "weather"/],
  ];
  for (const [args, expected] of cases) {
    const { code, stderr } = await runCliHere([
      ...args,
      ...(args[0] === 'run' && args.length > 2 && !args.includes('--resume') ? ['--out', out] : []),
    ]);
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, expected, args.join(' '));
  }
  assert.ok(!existsSync(out), 'nothing was made');
});

test('the plan of the folder is taken where none is named, and refused like any other', async (t) => {
  const folder = tempFolder(t);
  const config = join(folder, 'h2h3.config.yaml');
  const launcher = join(projectDir, 'src/cli/launcher.js');
  const plan = (...args: string[]): Promise<CliResult> =>
    startProgram([process.execPath, launcher, 'plan', ...args], {}, { cwd: folder }).result;
  writeFileSync(config, 'workloads: [download-1mb]\nclients: [embedded]\nrepetitions: 8\n');
  const taken = await plan('--json');
  assert.equal(taken.code, 0, taken.stderr);
  assert.match(taken.stderr, /plan: h2h3\.config\.yaml/);
  const { repetitions, conditions } = planSchema.parse(JSON.parse(taken.stdout));
  assert.deepEqual(
    [repetitions, conditions.map(({ workload, client }) => [workload, client])],
    [8, [['download-1mb', 'embedded']]],
  );
  const named = await plan('download', '--json');
  assert.doesNotMatch(named.stderr, /h2h3\.config/);
  writeFileSync(config, 'workload: [download-1mb]\n');
  const refused = await plan();
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /h2h3\.config\.yaml:1: .*workloads/);
});

test('a program that is no browser, and a browser that will not start, are refused with what they said', async (t) => {
  const folder = tempFolder(t);
  const broken = join(folder, 'broken');
  const starts = `#!/bin/sh
[ "$1" = --version ] && echo 'Chromium 150.0.7000.1' && exit
echo 'no display of any kind' >&2
exit 7
`;
  writeFileSync(broken, starts, { mode: 0o755 });
  for (const [client, reason] of [
    ['/bin/false', /\/bin\/false is no client that is known here/],
    [broken, /Chromium did not start: .*exit code 7/],
  ] as const) {
    const out = join(folder, 'run');
    const words = [...small, '--network', 'loopback', '--repetitions', '1', '--out', out];
    const { code, stderr } = await runCli(['run', ...words, '--client', client]);
    assert.equal(code, 3, stderr);
    assert.match(stderr, reason);
    assert.equal(existsSync(out), false, 'nothing is left of a run that did not begin');
  }
});
