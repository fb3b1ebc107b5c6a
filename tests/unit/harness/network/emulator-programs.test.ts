import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  emulatorProgramsState,
  emulatorSources,
  emulatorToolName,
  ensureEmulatorPrograms,
  writeDigests,
} from '../../../../harness/network/emulator-programs.ts';
import { emulatorRow } from '../../../../harness/tools/doctor-path.ts';
import { wheelTool } from '../../../../harness/tools/wheel.ts';
import { zigWheel } from '../../../../harness/tools/zig.ts';
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
  await assert.rejects(
    ensureEmulatorPrograms(setupContextIn(tempFolder(t))),
    /there is no C compiler on PATH; The wheel ziglang 0\.17\.1 cannot be had: there is no pip/,
  );
});

test('where no compiler of the machine can, one is fetched that brings headers of its own', async (t) => {
  const folder = tempFolder(t);
  const gcc = placeProgram(path.join(folder, 'bin', 'gcc'));
  const { run, lines } = recordingRun((line) =>
    line.startsWith(gcc) ? { exitCode: 1, stderr: 'x.c:1:10: fatal error: stdio.h: No such file\n' } : {},
  );
  const context = setupContextIn(folder, { run });
  // As if fetched before.
  const zig = placeProgram(path.join(context.cache.directoryOf(wheelTool(zigWheel)), 'ziglang', 'zig'));
  assert.equal((await ensureEmulatorPrograms(context)).compiler, `${zig} cc`);
  assert.equal(lines.filter((line) => line.startsWith(`${zig} cc `)).length, 4);
});

test('a kind of machine for which none can be fetched says so, with the package of a compiler', async (t) => {
  await assert.rejects(ensureEmulatorPrograms(setupContextIn(tempFolder(t), { arch: 'riscv64' })), {
    code: 'unsupported',
    message: /there is no C compiler on PATH; No wheel of ziglang is pinned for linux on riscv64/,
    next: /apt-get install gcc libc6-dev/,
  });
});

test('the doctor wants no compiler: what is not packaged is built by one here, or by one that is fetched', async (t) => {
  const folder = tempFolder(t);
  const context = setupContextIn(folder);
  const found = async (arch: string) => {
    const { state, found: words, fix } = await emulatorRow({ ...context, arch });
    return [state, words, fix];
  };
  assert.deepEqual(await found('x64'), [
    'ok',
    'built before the first run, by Zig, which is fetched once (100 MB)',
    undefined,
  ]);
  assert.deepEqual((await found('riscv64'))[0], 'missing');
  const gcc = placeProgram(path.join(folder, 'bin', 'gcc'));
  assert.deepEqual(await found('riscv64'), ['ok', `built before the first run, by ${gcc}`, undefined]);
});

/** A package that holds programs of this source, made of their names. */
async function packagedIn(folder: string): Promise<string> {
  const programs = path.join(folder, 'built', await emulatorToolName('x64'));
  mkdirSync(programs, { recursive: true });
  for (const name of Object.keys(emulatorSources))
    writeFileSync(path.join(programs, name), `program ${name}`);
  await writeDigests(programs);
  return path.dirname(programs);
}

test('programs of the package are taken without a compiler, and by their digests alone', async (t) => {
  const folder = tempFolder(t);
  const packaged = await packagedIn(folder);
  const context = setupContextIn(folder);
  assert.equal(await emulatorProgramsState(context, packaged), 'packaged');
  assert.equal(await emulatorProgramsState(context, path.join(folder, 'none')), 'absent');
  const { relay, compiler } = await ensureEmulatorPrograms(context, packaged);
  assert.equal(compiler, 'built with the package');
  assert.equal(readFileSync(relay, 'utf8'), 'program port-relay');
  assert.equal(statSync(relay).mode & 0o777, 0o755);
  assert.equal(await emulatorProgramsState(context, path.join(folder, 'none')), 'built');
});

test('a program of the package that is not as it was built is refused, and nothing is taken', async (t) => {
  const folder = tempFolder(t);
  const packaged = await packagedIn(folder);
  writeFileSync(path.join(packaged, await emulatorToolName('x64'), 'port-relay'), 'another');
  const context = setupContextIn(folder);
  await assert.rejects(ensureEmulatorPrograms(context, packaged), {
    code: 'bad-input',
    message: 'the program port-relay of the package is not as it was built',
  });
  assert.equal(await emulatorProgramsState(context, path.join(folder, 'none')), 'absent');
});
