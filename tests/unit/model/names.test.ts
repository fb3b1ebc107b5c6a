import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameTable } from '../../../src/model/names.ts';
import { environmentFixture } from '../../support/environment-fixture.ts';

test('a client has the number that its releases differ in, the second where the first is 0', () => {
  const environment = environmentFixture(['chromium', 'quic-go'], []);
  const [chromium, quicGo] = environment.clients;
  assert.ok(chromium && quicGo);
  const clients = [chromium, { ...quicGo, name: 'quic-go', version: '0.63.0' }];
  const names = nameTable({ workloads: [], environment: { ...environment, clients } });
  assert.deepEqual(names.clients, { chromium: 'Chromium 156', 'quic-go': 'quic-go 0.63' });
});
