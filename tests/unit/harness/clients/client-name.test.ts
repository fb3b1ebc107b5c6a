import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVersionedName } from '../../../../harness/clients/client-name.ts';

test('a browser with @ names a version or a channel; paths and bare names do not', () => {
  assert.deepEqual(parseVersionedName('chromium@153'), { browser: 'chromium', wanted: '153' });
  assert.deepEqual(parseVersionedName('firefox@stable'), { browser: 'firefox', wanted: 'stable' });
  assert.deepEqual(parseVersionedName('firefox@151.0b3'), { browser: 'firefox', wanted: '151.0b3' });
  assert.deepEqual(parseVersionedName('msedge-beta'), { browser: 'edge', wanted: 'beta' });
  assert.equal(parseVersionedName('chromium'), undefined);
  assert.equal(parseVersionedName('__proto__'), undefined);
  assert.equal(parseVersionedName('constructor'), undefined);
  assert.equal(parseVersionedName('/opt/chrome@7/chrome'), undefined);
});

test('a malformed version is refused with what is expected', () => {
  for (const spec of ['chromium@', 'opera@100', 'chromium@1@2', 'chromium@15..3', 'netscape@4'])
    assert.throws(() => parseVersionedName(spec), /names no browser version/, spec);
});
