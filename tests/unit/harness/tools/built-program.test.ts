import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  ensureBuilt,
  findBuilt,
  runBuildStep,
  type ProgramSource,
} from '../../../../harness/tools/built-program.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function sourceIn(sourceDir: string, build: ProgramSource['build']): ProgramSource {
  writeFileSync(path.join(sourceDir, 'main.x'), 'one');
  return { name: 'own', sourceDir, needs: ['compiler'], patience: 'a moment', build };
}

test('it is built once, and anew when its sources have changed', async (t) => {
  const folder = tempFolder(t);
  const sourceDir = tempFolder(t);
  placeProgram(path.join(folder, 'bin', 'compiler'));
  const context = setupContextIn(folder);
  let builds = 0;
  const source = sourceIn(sourceDir, (target) => {
    writeFileSync(path.join(target, 'own'), `build ${++builds}`);
    return Promise.resolve();
  });
  assert.equal(await findBuilt(source, context), undefined);
  const first = await ensureBuilt(source, context);
  assert.equal(await ensureBuilt(source, context), first);
  assert.equal(await findBuilt(source, context), first);
  writeFileSync(path.join(sourceDir, 'main.x'), 'two');
  assert.equal(await findBuilt(source, context), undefined);
  const second = await ensureBuilt(source, context);
  assert.equal(builds, 2);
  assert.notEqual(second, first);
  assert.equal(readFileSync(second, 'utf8'), 'build 2');
});

test('without what builds it, and when building fails, it is unsupported with the reason', async (t) => {
  const folder = tempFolder(t);
  const { run } = recordingRun(() => ({ exitCode: 1, stderr: 'no such library' }));
  const source = sourceIn(tempFolder(t), (_target, context) =>
    runBuildStep(['compiler', 'all'], {}, context),
  );
  const context = setupContextIn(folder, { run });
  const refused = (pattern: RegExp) => (thrown: unknown) => {
    assert.ok(thrown instanceof H2h3Error);
    assert.equal(thrown.code, 'unsupported');
    assert.match(`${thrown.message} ${thrown.context.stderrTail ?? ''}`, pattern);
    return true;
  };
  await assert.rejects(ensureBuilt(source, context), refused(/compiler is not on PATH/));
  placeProgram(path.join(folder, 'bin', 'compiler'));
  await assert.rejects(ensureBuilt(source, context), refused(/compiler all failed no such library/));
  assert.equal(await findBuilt(source, context), undefined);
});
