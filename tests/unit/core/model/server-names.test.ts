import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxySoftware } from '../../../../harness/proxies/registry.ts';
import { serverSoftware } from '../../../../harness/servers/registry.ts';
import { armNameOfLabel } from '../../../../src/core/factors/arm-name.ts';
import { namesFrom } from '../../../../src/core/model/names.ts';
import { serverName, serverNames } from '../../../../src/core/model/server-names.ts';

test('each server and proxy has a name as people write it, which its own description has', () => {
  for (const { id, name } of serverSoftware) assert.equal(serverName(id), name);
  for (const { id, name } of proxySoftware) assert.ok(serverName(id).startsWith(name), id);
  const known = new Set([...serverSoftware, ...proxySoftware].map(({ id }) => id));
  assert.deepEqual(
    Object.keys(serverNames).filter((id) => !known.has(id)),
    [],
    'names of what there is not',
  );
});

test('arms and tables name a server with its version, and one that is not known as it stands', () => {
  assert.equal(armNameOfLabel('h3+server=haproxy@3.2'), 'HTTP/3 from HAProxy 3.2');
  assert.equal(
    armNameOfLabel('h2+proxy=envoy/envoy-h3'),
    'HTTP/2 through Envoy and Envoy (HTTP/3 to the server)',
  );
  assert.equal(armNameOfLabel('h2+server=constructor'), 'HTTP/2 from constructor');
  assert.equal(namesFrom(undefined).server('caddy'), 'Caddy');
});
