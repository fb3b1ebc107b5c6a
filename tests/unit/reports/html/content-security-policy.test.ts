import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentSecurityPolicy } from '../../../../reports/html/content-security-policy.ts';

test('the policy names the hash of each script and style and allows nothing else', () => {
  const policy = contentSecurityPolicy(['alert(1)'], ['a{}']);
  // echo -n 'alert(1)' | openssl dgst -sha256 -binary | base64
  assert.match(policy, /script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF\+pI='/);
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
});
