import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goneLimitMs } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { torture, victimsOverLoopback } from './torture-run.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

/** The long version is `npm run torture`. */
test(
  'whatever is killed at ten instants, nothing is left and no trial is lost or run twice',
  { skip },
  async (t) => {
    const { faults, kills } = await torture({
      run: ['--workload', 'download-1mb', '--client', 'embedded', '--repetitions', '8', '--exploratory'],
      victims: victimsOverLoopback,
      instants: 10,
      seed: 3,
      folder: tempFolder(t),
      goneLimitMs,
    });
    assert.deepEqual(faults, []);
    for (const [victim, times] of Object.entries(kills)) assert.ok(times > 0, `no ${victim} was killed`);
  },
);
