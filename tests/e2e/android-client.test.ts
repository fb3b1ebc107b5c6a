import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { projectDir, readEnvironment, readRecords, runCli } from '../support/cli.ts';
import { emulatePhone, phoneSerial } from '../support/emulated-phone.ts';
import { startGuardedSite } from '../support/guarded-site.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Whether the test is left out because there is nothing by which a phone can be reached. */
async function lacksAdb(t: TestContext, setup: SetupContext): Promise<boolean> {
  if ((await findOnPath('adb', setup)) !== undefined) return false;
  t.skip('there is no adb here: npx h2h3 setup --system installs it');
  return true;
}

test('Chrome on a phone is chosen by serial, given its switches by file, proven, accounted for, and left as it was', async (t) => {
  const folder = tempFolder(t);
  const setup = await createSetupContext({ projectDir });
  if (await lacksAdb(t, setup)) return;
  const phone = await emulatePhone(t, await resolveClient('best', setup), folder);
  const own = await privateAuthority(folder, ['localhost', 'third.localhost']);
  const site = await startGuardedSite(
    t,
    (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><link rel=icon href="data:,"><title>phone</title><p>text'),
    { certificates: [own] },
  );
  const client = `android@${phoneSerial}`;
  const out = join(folder, 'run');
  const words = ['run', '--client', client, '--url', site.url, '--ca', own.rootFile, ...site.connectTo];
  const { code, stderr } = await runCli(
    [...words, '--repetitions', '1', '--exploratory', '--quick-start', '--out', out],
    phone.environment,
  );
  assert.equal(code, 0, stderr);
  const records = readRecords(out);
  assert.deepEqual(
    records.map(({ arm, instrumentation, status }) => [arm, instrumentation, status]).toSorted(),
    [
      ['h2', 'instrumented', 'ok'],
      ['h2', 'uninstrumented', 'ok'],
      ['h3', 'instrumented', 'ok'],
      ['h3', 'uninstrumented', 'ok'],
    ],
  );
  for (const { metrics, warnings } of records) {
    assert.ok((metrics['pltMs'] ?? 0) > 0, 'the page was timed');
    assert.ok((metrics['cpuSeconds'] ?? 0) > 0, 'the phone told its CPU time');
    assert.ok(
      warnings.some((line) => line.startsWith('Chrome ran on a phone')),
      warnings.join('\n'),
    );
  }
  const forced = phone.starts.map((words) =>
    words.filter((word) => /^--disable-quic$|^--origin-to-force-quic-on=localhost:\d+$/.test(word)),
  );
  assert.ok(forced.every(({ length }) => length === 1));
  assert.ok(forced.flat().includes('--disable-quic'));
  const origin = `localhost:${new URL(site.url).port}`;
  assert.ok(forced.flat().includes(`--origin-to-force-quic-on=${origin}`), forced.join());
  assert.ok(
    phone.starts.every((words) => words.some((word) => word.startsWith('--host-resolver-rules=MAP '))),
  );
  assert.deepEqual(phone.state(), { files: [], debugApp: null, forwards: 0, runs: false });
  const [described] = readEnvironment(out).clients;
  assert.deepEqual([described?.name, described?.id], ['Chrome on Android', client]);
});

test('a phone that is not there, may not be cleared or cannot reach what is asked is refused by one sentence', async (t) => {
  const folder = tempFolder(t);
  const setup = await createSetupContext({ projectDir });
  if (await lacksAdb(t, setup)) return;
  const phone = await emulatePhone(t, await resolveClient('best', setup), folder);
  const refused = async (
    sentence: RegExp,
    words: readonly string[],
    environment: Readonly<Record<string, string>> = phone.environment,
  ): Promise<void> => {
    const { code, stderr } = await runCli(
      ['run', ...words, '--exploratory', '--quick-start', '--out', join(folder, 'run')],
      environment,
    );
    assert.match(stderr, sentence);
    assert.notEqual(code, 0);
  };
  const page = ['--workload', 'download-1mb', '--repetitions', '1'];
  await refused(/needs a phone over adb: adb sees no OTHER, but EMULATED01 \(device\)/, [
    '--client',
    'android@OTHER',
    ...page,
  ]);
  await refused(/Chrome on the phone may not be cleared yet/, ['--client', 'android', ...page], {
    ...phone.environment,
    H2H3_ANDROID_CLEARS: '',
  });
  await refused(/Chrome on Android reaches no server inside this machine .*it loads addresses \(--url\)/, [
    '--client',
    'android',
    ...page,
  ]);
  await refused(
    /needs a phone over adb: there is no program called adb here/,
    ['--client', 'android', ...page],
    {
      ...phone.environment,
      PATH: tempFolder(t),
    },
  );
  assert.deepEqual(phone.starts, []);
});
