import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  acceptBaseline,
  currentBaseline,
  readBaselines,
  type Baseline,
} from '../../../src/store/baselines.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const baseline = (client: string, name = 'chromium'): Baseline => ({
  name,
  client,
  version: client,
  build: 'full',
  acceptedAt: '2026-01-01T00:00:00Z',
  run: null,
  note: '',
});

test('the last accepted of a name is in force, the others stay listed', (t) => {
  const folder = tempFolder(t);
  assert.equal(currentBaseline(folder, 'chromium'), null);
  acceptBaseline(folder, baseline('chromium@148'));
  acceptBaseline(folder, baseline('firefox@150', 'firefox'));
  acceptBaseline(folder, baseline('chromium@153'));
  assert.equal(currentBaseline(folder, 'chromium')?.client, 'chromium@153');
  assert.equal(currentBaseline(folder, 'firefox')?.client, 'firefox@150');
  assert.equal(readBaselines(folder).length, 3);
});

test('a damaged list is refused and left as it is', (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'baselines.json');
  writeFileSync(file, '{"accepted": 3}');
  assert.throws(() => acceptBaseline(folder, baseline('chromium@153')), /holds no baselines/);
  assert.equal(readFileSync(file, 'utf8'), '{"accepted": 3}');
});
