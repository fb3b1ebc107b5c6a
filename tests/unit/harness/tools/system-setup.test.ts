import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { SetupContext } from '../../../../harness/tools/setup-context.ts';
import { systemPackages, systemSetup } from '../../../../harness/tools/system-setup.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const allBut = (missing: string): string =>
  systemPackages.map((name) => `${name} ${name === missing ? 'not-installed' : 'installed'}\n`).join('');

function debian(folder: string, changes: Partial<SetupContext>): SetupContext {
  placeProgram(path.join(folder, 'bin', 'apt-get'));
  return setupContextIn(folder, changes);
}

test('only what is missing is installed, and each command is said before it runs', async (t) => {
  const { run, lines } = recordingRun((line) => {
    if (line.startsWith('dpkg-query')) return { exitCode: 1, stdout: allBut('ffmpeg') };
    return line === 'id -u' ? { stdout: '0\n' } : {};
  });
  const said: string[] = [];
  await systemSetup(debian(tempFolder(t), { run }), (line) => said.push(line));
  const commands = lines.filter((line) => line.includes('apt-get'));
  assert.deepEqual(commands, said);
  assert.equal(said[0], 'apt-get update');
  assert.match(said[1] ?? '', /apt-get install -y --no-install-recommends ffmpeg$/);
});

test('nothing runs when all of it is installed', async (t) => {
  const { run, lines } = recordingRun(() => ({ stdout: allBut('none') }));
  await systemSetup(debian(tempFolder(t), { run }), () => undefined);
  assert.equal(lines.length, 1);
});

test('without root and without sudo the error gives the command to run', async (t) => {
  const { run, lines } = recordingRun((line) => (line === 'id -u' ? { stdout: '1000\n' } : {}));
  await assert.rejects(
    systemSetup(debian(tempFolder(t), { run }), () => undefined),
    (error) => {
      assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
      assert.match(error.next ?? '', /sudo apt-get .*chromium/);
      return true;
    },
  );
  assert.ok(lines.every((line) => !line.includes('apt-get')));
});

test('a system without apt-get is refused', async (t) => {
  await assert.rejects(
    systemSetup(setupContextIn(tempFolder(t)), () => undefined),
    /apt-get/,
  );
});

test('a failing apt-get is an error with its last lines', async (t) => {
  const { run } = recordingRun((line) => {
    if (line === 'id -u') return { stdout: '0\n' };
    return line.startsWith('apt-get') ? { exitCode: 100, stderr: 'E: no network\n' } : {};
  });
  await assert.rejects(
    systemSetup(debian(tempFolder(t), { run }), () => undefined),
    (error) => {
      assert.ok(error instanceof H2h3Error && error.code === 'process-failed');
      assert.equal(error.context.stderrTail, 'E: no network');
      return true;
    },
  );
});
