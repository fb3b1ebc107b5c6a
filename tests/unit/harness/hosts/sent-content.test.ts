import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sentProgram } from '../../../../harness/hosts/program-files.ts';
import type { FarHost } from '../../../../harness/hosts/far-host.ts';
import { farOrigin, SentContent } from '../../../../harness/hosts/sent-content.ts';
import { archiveOrigin } from '../../../../sites/archive/archive-workload.ts';
import { sinkOrigin } from '../../../../sites/uploads/upload-workload.ts';
import { projectDir } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const root = { host: 'a.test', directory: '/data/recording' };

test('a program that answers for a host is named by its place in what is sent, and its folder is left open', () => {
  assert.deepEqual(farOrigin({ ...root, origin: archiveOrigin('/data/recording', { thinkTime: true }) }), {
    kind: 'archive',
    program: 'sites/replay/serve-archive.ts',
    words: [null, '--think-time'],
  });
  assert.deepEqual(farOrigin({ ...root, origin: sinkOrigin(5) }), {
    kind: 'sink',
    program: 'sites/uploads/serve-sink.ts',
    words: ['5'],
  });
  assert.equal(farOrigin(root), undefined);
});

test('a program that is not sent, or is no program of ours, stays here', () => {
  const program = join(projectDir, 'src', 'cli', 'main.ts');
  for (const origin of [
    { command: [process.execPath, program, '/data/recording'] },
    { command: ['python3', join(projectDir, 'sites', 'uploads', 'serve-sink.ts')] },
    { ...sinkOrigin(5), kind: 'relay' as const },
  ])
    assert.throws(() => farOrigin({ ...root, origin }), {
      code: 'unsupported',
      message: 'a.test is answered by a program, which runs on this machine alone',
    });
});

test('of the paths that the other end names only those of sent programs are started', () => {
  const sink = 'sites/uploads/serve-sink.ts';
  assert.equal(sentProgram(sink), join(projectDir, sink));
  for (const path of ['sites/uploads/none.ts', 'src/cli/main.ts', 'src/app/index.ts', '../x.ts', '/bin/sh'])
    assert.throws(() => sentProgram(path), { code: 'bad-input' }, path);
});

test('of a folder that holds more, what is asked for is sent', async (t) => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'film', 'deep'), { recursive: true });
  for (const name of ['film/a.mp4', 'film/deep/b.mp4', 'other.bin', 'more.bin'])
    writeFileSync(join(folder, name), name);
  const ask = (): unknown => Promise.resolve({ answered: { digests: [] } });
  const host = { ask } as unknown as FarHost;
  const sent = async (needs?: string[]): Promise<string[]> => {
    const root = { host: 'media.test', directory: folder, ...(needs === undefined ? {} : { needs }) };
    const [only] = await new SentContent().send([root], host);
    return only?.files.map(({ path }) => path) ?? [];
  };
  assert.deepEqual(await sent(['film', 'other.bin']), ['film/a.mp4', 'film/deep/b.mp4', 'other.bin']);
  assert.equal((await sent()).length, 4);
});
