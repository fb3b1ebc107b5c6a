import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSameEnvironment } from '../../../../src/app/run/same-environment.ts';
import type { ClientDescription, Environment } from '../../../../src/core/model/environment.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';

const client: ClientDescription = {
  id: 'chromium',
  family: 'chromium',
  name: 'Chromium',
  version: '156.0',
  build: 'full',
  source: 'system',
  executablePath: '/usr/bin/chromium',
  headed: false,
};

function environment(version: string, loadAverage1m = 0): Environment {
  return {
    schemaVersion: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    machine: {
      platform: 'linux x64',
      kernel: 'Linux 6',
      cpuModel: 'a CPU',
      cpuCount: 2,
      memoryBytes: 1e9,
      governor: null,
      loadAverage1m,
      stealShare: null,
      virtualised: null,
    },
    node: '24',
    h2h3: { version: '0.1.0', gitRevision: null },
    packages: {},
    ffmpeg: null,
    clients: [{ ...client, version }],
    servers: [],
    networks: [],
    pinning: { browserCpus: null, serverCpus: null },
    warnings: [],
  };
}

test('a run goes on where machine, browser and server are the same, whatever the load', () => {
  assert.doesNotThrow(() => checkSameEnvironment(environment('156.0'), environment('156.0', 9)));
});

test('a browser that was updated in between is refused, both versions named', () => {
  assert.throws(
    () => checkSameEnvironment(environment('156.0'), environment('157.0')),
    /client chromium: was Chromium 156\.0.*is Chromium 157\.0/,
  );
});

test('what did not start is told by its own reason, and keeps nothing from going on where nothing differs', () => {
  const failure = new H2h3Error('process-failed', 'Caddy did not start: it ended');
  assert.throws(
    () => checkSameEnvironment(environment('156.0'), environment('157.0'), [failure]),
    (thrown) => thrown === failure,
  );
  assert.doesNotThrow(() => checkSameEnvironment(environment('156.0'), environment('156.0'), [failure]));
});
