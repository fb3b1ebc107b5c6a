import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pinnedDigestsFile, targets } from '../../../build/static-programs.ts';
import { emulatorSources, emulatorToolName } from '../../../harness/network/emulator-programs.ts';

test('a digest is pinned of every program in C that packages bring, of this source', async () => {
  const names = await Promise.all(
    Object.keys(targets).map(async (arch) => {
      const tool = await emulatorToolName(arch);
      return Object.keys(emulatorSources).map((program) => `${tool}/${program}`);
    }),
  );
  const lines = readFileSync(pinnedDigestsFile, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => /^[0-9a-f]{64} {2}(\S+)$/.exec(line)?.[1]),
    names.flat(),
    'sources in C changed: npm run digests pins what is built of them',
  );
});
