import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProgramName, wantedIsAtLeast } from '../../../../../harness/tools/versions/program-name.ts';

test('a name has a program and the beginning of a version', () => {
  assert.deepEqual(parseProgramName('nginx@1.30'), { id: 'nginx', wanted: '1.30' });
  assert.deepEqual(parseProgramName('caddy@latest'), { id: 'caddy', wanted: 'latest' });
  assert.equal(parseProgramName('nginx'), undefined);
  for (const bad of ['nginx@', 'nginx@1.x', 'nginx@1.30@2', 'nginx@stable', 'nginx@../x'])
    assert.throws(() => parseProgramName(bad), /names no version of nginx/, bad);
});

test('the beginning of a version stands for the newest that begins so', () => {
  for (const wanted of ['1.27.5', '1.27', '1.30', '1', '2', 'latest'])
    assert.equal(wantedIsAtLeast(wanted, '1.27.5'), true, wanted);
  for (const wanted of ['1.26', '1.27.4', '0'])
    assert.equal(wantedIsAtLeast(wanted, '1.27.5'), false, wanted);
});
