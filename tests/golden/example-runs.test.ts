import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { extract } from 'tar';
import { openRunDirectory } from '../../src/store/run-directory.ts';
import { projectDir } from '../support/source-graph.ts';
import { tempFolder } from '../support/temp-folder.ts';

const runsDir = join(projectDir, 'reports/examples');
/** Fewer would show no report as a user has it. */
const minValid = 8;

test('the runs that sample reports are made from open, and hold valid trials of both kinds', async (t) => {
  const packed = readdirSync(runsDir).filter((name) => name.endsWith('.tar.gz'));
  assert.ok(packed.length > 0);
  for (const file of packed) {
    const cwd = tempFolder(t);
    await extract({ file: join(runsDir, file), cwd });
    const { records } = openRunDirectory(cwd).journal();
    const valid = records.filter(({ status }) => status === 'ok');
    assert.ok(valid.length >= minValid, `${file}: ${valid.length} valid trials`);
    assert.deepEqual(
      [...new Set(valid.map(({ instrumentation }) => instrumentation))].toSorted(),
      ['instrumented', 'uninstrumented'],
      file,
    );
  }
});
