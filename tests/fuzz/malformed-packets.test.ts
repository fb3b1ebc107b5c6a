import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectDir } from '../support/cli.ts';
import { noSanitizersReason } from '../support/sanitized-program.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildMalformedPackets, buildWithDirection, sendMalformedPackets } from './malformed-packets.ts';

/** The long version is `npm run fuzz:packets`. */
const packets = 20_000;
const skip = noSanitizersReason();

test(
  'malformed packets pass or are counted as dropped, whatever the queue, and the sanitizers find nothing',
  {
    skip,
  },
  (t) => {
    const program = buildMalformedPackets(tempFolder(t));
    assert.deepEqual(sendMalformedPackets(program, 1, packets), []);
  },
);

const folderOfTestsInC = join(projectDir, 'tests/unit/harness/network/emulator');

for (const name of readdirSync(folderOfTestsInC).filter((file) => file.endsWith('-test.c')))
  test(`the sanitizers find nothing in ${name}`, { skip }, (t) => {
    const program = buildWithDirection(tempFolder(t), join(folderOfTestsInC, name));
    const { status, stderr } = spawnSync(program, {
      encoding: 'utf8',
      env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' },
    });
    assert.equal(status, 0, stderr);
  });
