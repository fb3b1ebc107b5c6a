import assert from 'node:assert/strict';
import { copyFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { allPresets, presetFile, presetIds } from '../../../../src/app/presets/registry.ts';
import { scaleNames } from '../../../../src/plan/plan-file.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('every plan file of the folder is listed, and has the name of its file', () => {
  const files = readdirSync(dirname(presetFile('web'))).filter((file) => file.endsWith('.yaml'));
  assert.deepEqual(presetIds.map((id) => `${id}.yaml`).toSorted(), files.toSorted());
  for (const { id, plan, title } of allPresets()) {
    assert.equal(plan.name, id);
    assert.equal(plan.title, title);
  }
});

test('a copy of a preset is a plan file of the user’s that says the same', (t) => {
  const folder = tempFolder(t);
  for (const { id, scales } of allPresets()) {
    const copy = join(folder, `${id}.yaml`);
    copyFileSync(presetFile(id), copy);
    for (const scale of scales === undefined ? [undefined] : scaleNames) {
      const flags = scale === undefined ? {} : { scale };
      assert.deepEqual(readPlanRequest(copy, flags), readPlanRequest(id, flags), id);
    }
  }
});
