import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sentProgram } from '../../../../harness/hosts/program-files.ts';
import { farOrigin } from '../../../../harness/hosts/sent-content.ts';
import { archiveOrigin } from '../../../../sites/archive/archive-workload.ts';
import { sinkOrigin } from '../../../../sites/uploads/upload-workload.ts';
import { projectDir } from '../../../support/cli.ts';

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
  const program = join(projectDir, 'video', 'serve-held.ts');
  for (const origin of [
    { command: [process.execPath, program, '/data/recording'] },
    { command: ['python3', join(projectDir, 'sites', 'uploads', 'serve-sink.ts')] },
    { ...sinkOrigin(5), kind: 'app' as const },
  ])
    assert.throws(() => farOrigin({ ...root, origin }), {
      code: 'unsupported',
      message: 'a.test is answered by a program, which runs on this machine alone',
    });
});

test('of the paths that the other end names only those of sent programs are started', () => {
  const sink = 'sites/uploads/serve-sink.ts';
  assert.equal(sentProgram(sink), join(projectDir, sink));
  for (const path of [
    'sites/uploads/none.ts',
    'src/cli/main.ts',
    'video/serve-held.ts',
    '../x.ts',
    '/bin/sh',
  ])
    assert.throws(() => sentProgram(path), { code: 'bad-input' }, path);
});
