import assert from 'node:assert/strict';
import { test } from 'node:test';
import { armName } from '../../../../src/core/factors/arm-name.ts';

const nameWith = (flags: string): string => armName({ label: 'h3', factors: { protocol: 'h3', flags } });

test('a preference goes by its own name without the path to it, a switch as it is typed', () => {
  assert.equal(
    nameWith('network.http.happy_eyeballs_enabled=true'),
    'HTTP/3 with flags happy_eyeballs_enabled=true',
  );
  assert.equal(
    nameWith('--enable-features=A.b,C network.dns.native_https_query=false'),
    'HTTP/3 with flags --enable-features=A.b,C native_https_query=false',
  );
});
