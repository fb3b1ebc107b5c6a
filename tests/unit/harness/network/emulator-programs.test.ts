import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ensureEmulatorPrograms } from '../../../../harness/network/emulator-programs.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('a compiler that cannot build is passed over for the next one', async (t) => {
  const folder = tempFolder(t);
  const gcc = placeProgram(path.join(folder, 'bin', 'gcc'));
  const zig = placeProgram(path.join(folder, 'bin', 'zig'));
  const { run, lines } = recordingRun((line) =>
    line.startsWith(gcc) ? { exitCode: 1, stderr: 'x.c:1:10: fatal error: stdio.h: No such file\n' } : {},
  );
  const context = setupContextIn(folder, { run });
  assert.equal((await ensureEmulatorPrograms(context)).compiler, `${zig} cc`);
  assert.equal(
    lines.filter((line) => line.startsWith(gcc)).length,
    1,
    'it is not asked for the other programs',
  );
  assert.equal(lines.filter((line) => line.startsWith(`${zig} cc `)).length, 4);
  assert.equal((await ensureEmulatorPrograms(context)).compiler, 'built before');
});

test('when none can, each says why, and the package of the headers is named', async (t) => {
  const folder = tempFolder(t);
  placeProgram(path.join(folder, 'bin', 'cc'));
  placeProgram(path.join(folder, 'bin', 'tcc'));
  const { run } = recordingRun(() => ({ exitCode: 1, stderr: 'error: no stdio.h\n' }));
  await assert.rejects(ensureEmulatorPrograms(setupContextIn(folder, { run })), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
    assert.match(error.message, /\/cc could not build.*no stdio\.h.*\/tcc could not build/);
    assert.match(error.next ?? '', /libc6-dev/);
    return true;
  });
  await assert.rejects(ensureEmulatorPrograms(setupContextIn(tempFolder(t))), /there is no C compiler/);
});
