import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { requireTun } from '../../../../harness/network/choose-backend.ts';
import {
  findPrivilege,
  namespaceStep,
  openingCommand,
  pathPrograms,
  requireProgram,
} from '../../../../harness/network/privilege.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { h2h3Words, linkWords } from '../../../../src/core/model/program-words.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** A folder with these settings of a kernel, as in /proc/sys. */
function settingsDir(folder: string, settings: Readonly<Record<string, string>>): string {
  for (const [name, value] of Object.entries(settings)) {
    const file = path.join(folder, ...name.split('.'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${value}\n`);
  }
  return folder;
}

test('where settings close user namespaces, one command opens them all', async (t) => {
  const commandOf = (settings: Readonly<Record<string, string>>) =>
    openingCommand(settingsDir(tempFolder(t), settings));
  // Ubuntu 24.04, and a Debian that was hardened.
  assert.equal(
    await commandOf({
      'kernel.apparmor_restrict_unprivileged_userns': '1',
      'kernel.unprivileged_userns_clone': '1',
      'user.max_user_namespaces': '63000',
    }),
    'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
  );
  assert.equal(
    await commandOf({ 'kernel.unprivileged_userns_clone': '0', 'user.max_user_namespaces': '0' }),
    'sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000',
  );
  assert.equal(await commandOf({ 'kernel.unprivileged_userns_clone': '1' }), null);
  assert.equal(await commandOf({}), null);
});

test('the next step is that command, or what a container wants, and how the program does without a network', () => {
  assert.equal(
    namespaceStep('sudo sysctl a=0', { ...linkWords, withoutNetwork: 'use the network none' }),
    'Open user namespaces until the next start: sudo sysctl a=0. Or use the network none.',
  );
  assert.match(namespaceStep(null, h2h3Words), /--cap-add SYS_ADMIN.*\. Or use --network loopback\.$/);
});

/** The error of what is refused. */
async function refusalOf(work: Promise<unknown>): Promise<H2h3Error> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof H2h3Error && thrown.code === 'unsupported', String(thrown));
  return thrown;
}

test('without namespaces every reason is said, and nothing that the program does not have', async (t) => {
  const folder = tempFolder(t);
  for (const program of Object.keys(pathPrograms)) placeProgram(path.join(folder, 'bin', program));
  const { run } = recordingRun(() => ({ exitCode: 1, stderr: 'unshare: not permitted\n' }));
  const refused = await refusalOf(findPrivilege(setupContextIn(folder, { run, program: linkWords })));
  assert.match(String(refused.context.got), /root: unshare: not permitted; user-namespace: .*; sudo: /);
  assert.match(refused.next ?? '', /\. Or use the network none\.$/);
  const elsewhere = await refusalOf(findPrivilege(setupContextIn(folder, { platform: 'darwin' })));
  assert.equal(elsewhere.next, 'Run on Linux, or use --network loopback.');
});

test('a program that is not there is named with its package, and with what the program installs', async (t) => {
  const context = setupContextIn(tempFolder(t));
  const ip = (program: typeof linkWords) =>
    refusalOf(requireProgram('no-such-ip', 'iproute2', { ...context, program }));
  assert.equal(
    (await ip(h2h3Words)).next,
    'Install it: sudo apt-get install iproute2, or npx h2h3 setup --system.',
  );
  assert.equal((await ip(linkWords)).next, 'Install it: sudo apt-get install iproute2.');
});

test('a device that the emulator cannot have is refused with what brings it', async (t) => {
  const folder = tempFolder(t);
  const absent = await refusalOf(requireTun({ program: linkWords }, path.join(folder, 'tun')));
  assert.match(absent.next ?? '', /^Load it: sudo modprobe tun .*, or use the network none\.$/);
  const own = path.join(folder, 'closed');
  writeFileSync(own, '', { mode: 0o000 });
  if (process.getuid?.() === 0)
    return t.diagnostic('root may open every file: the other sentence is not tried');
  const closed = await refusalOf(requireTun({ program: h2h3Words }, own));
  assert.match(closed.next ?? '', /sudo chmod 0666 .*closed, or use --network loopback\.$/);
});
