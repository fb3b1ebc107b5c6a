import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathSetupOf } from '../../../../src/app/exec/network-named.ts';
import { linkWords } from '../../../../src/core/model/program-words.ts';
import { contextThatSays } from '../../../support/app-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('what is behind a path goes over the emulator unless netem is asked for, and can do without a network', async (t) => {
  const { context } = contextThatSays({ H2H3_CACHE: tempFolder(t) });
  const backend = 'H2H3_PATH_BACKEND';
  const { environment, program } = await pathSetupOf({ ...context, program: linkWords });
  assert.equal(environment[backend], process.env[backend] ?? 'emulator');
  assert.deepEqual([program.name, program.withoutNetwork], ['h2h3-link', 'use the network none']);
});
