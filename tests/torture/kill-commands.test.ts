import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goneLimitMs } from '../support/processes.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { killCommands } from './kill-commands.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc, so Linux only';

/** The long version is `npm run verify:leftovers`. */
test(
  'commands that are killed alone, with their group, and with their reaper leave nothing',
  { skip },
  async (t) => {
    const kills = await killCommands(t, {
      commands: ['encode', 'replay', 'merge'],
      kills: 9,
      seed: 2,
      folder: tempFolder(t),
      goneLimitMs,
    });
    assert.equal(kills.length, 9);
    for (const { command, way, faults } of kills) assert.deepEqual(faults, [], `${command}, ${way}`);
  },
);
