import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameTable, namesFrom } from '../../../../src/core/model/names.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';

test('a client has the number that its releases differ in, the second where the first is 0', () => {
  const environment = environmentFixture(['chromium', 'quic-go'], []);
  const [chromium, quicGo] = environment.clients;
  assert.ok(chromium && quicGo);
  const clients = [chromium, { ...quicGo, name: 'quic-go', version: '0.63.0' }];
  const names = nameTable({ workloads: [], environment: { ...environment, clients } });
  assert.deepEqual(names.clients, { chromium: 'Chromium 156', 'quic-go': 'quic-go 0.63' });
  assert.deepEqual(names.products, { chromium: 'Chromium', 'quic-go': 'quic-go' });
  assert.deepEqual(
    ['chromium', 'curl@8'].map((id) => namesFrom(names).product(id)),
    ['Chromium', 'curl@8'],
  );
});

test('a client whose builds have different QUIC libraries is named with its own', () => {
  const [client] = environmentFixture(['chromium'], []).clients;
  assert.ok(client);
  const curl = { ...client, id: 'curl', name: 'curl', version: '8.21.0', quicLibrary: 'ngtcp2 1.22.1' };
  const environment = { ...environmentFixture([], []), clients: [curl] };
  assert.deepEqual(nameTable({ workloads: [], environment }).clients, { curl: 'curl 8.21, ngtcp2' });
});

test('titles that would be cut to the same begin with what tells them apart', () => {
  const film = '360p film with numbered frames up to 1.5 Mbit/s, 1 s chunks, live';
  const workloads = [300, 600].map((ms) => ({ id: `film-${ms}`, title: `${film}, ${ms} ms behind, 12 s` }));
  const page = { id: 'page', title: 'A page of an agency, 42 objects' };
  const names = nameTable({ workloads: [...workloads, page], environment: null });
  assert.deepEqual(names.workloads, {
    'film-300': '300 ms behind: 360p film with numbered frames up to 1.5 Mbit/s',
    'film-600': '600 ms behind: 360p film with numbered frames up to 1.5 Mbit/s',
    page: 'A page of an agency, 42 objects',
  });
});
