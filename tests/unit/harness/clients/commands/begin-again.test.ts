import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ClientIdentity } from '../../../../../harness/clients/client.ts';
import type { ClientLaunchOptions, Load } from '../../../../../harness/clients/client-driver.ts';
import type { CommandClient } from '../../../../../harness/clients/commands/command-client.ts';
import { commandDriver } from '../../../../../harness/clients/commands/command-driver.ts';
import type { Migration } from '../../../../../src/core/factors/connecting.ts';
import type { DownloadSession } from '../../../../../src/core/model/session.ts';
import type { PreparedWorkload } from '../../../../../src/core/model/workload.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

const url = 'https://files.h2h3.test:8443/100000.bin';
const bodyBytes = 100_000;

/** Writes what is asked for of a body of this size, then waits if it is the first, and tells on standard error. */
const script = `
from=0; address=none; status=200
while [ $# -gt 0 ]; do case "$1" in --from) from=$2; status=206;; --at) address=$2;; esac; shift 2; done
left=$(( $SIZE - from ))
head -c $left /dev/zero
[ $address != none ] || { [ $SIZE -lt ${bodyBytes} ] || while :; do head -c 1000 /dev/zero 2>/dev/null || break; done; }
echo "$status $left $address" >&2
`;

function scripted(sizeBytes: number): CommandClient {
  return {
    id: 'scripted',
    title: 'Scripted',
    programs: ['sh'],
    installHint: '',
    timeLimitExitCode: 28,
    parseVersion: () => ({ version: '1', protocols: ['h2'] }),
    arguments: ({ flags }) => ['-c', script.replaceAll('$SIZE', String(sizeBytes)), 'sh', ...flags],
    restartArguments: (address, fromByte) => [
      '--at',
      address,
      ...(fromByte === 0 ? [] : ['--from', String(fromByte)]),
    ],
    transfers: (text) => {
      const [status = 0, left = 0] = text.trim().split(' ').map(Number);
      assert.match(text, /none|127\.0\.0\.77/, 'the second begins at another address');
      return [
        {
          url,
          status,
          protocol: 'h2',
          bodyBytes: left,
          headerBytes: 10,
          mimeType: '',
          connectStartMs: 1,
          connectEndMs: 2,
          requestStartMs: 3,
          responseStartMs: 4,
          endMs: 5,
        },
      ];
    },
  };
}

const identity: ClientIdentity = {
  id: 'scripted',
  family: 'scripted',
  name: 'Scripted',
  version: '1',
  build: 'command-line',
  source: 'system',
  executablePath: '/bin/sh',
  headed: false,
  environment: {},
  protocols: ['h2'],
};

async function handedOver(
  t: TestContext,
  migration: Migration,
  sizeBytes = bodyBytes,
): Promise<DownloadSession['streams'][number] | undefined> {
  const options: ClientLaunchOptions = {
    client: identity,
    protocol: 'h2',
    profileDir: tempFolder(t),
    spkiHash: '',
    hosts: [],
    server: { address: '127.0.0.1', port: 9 },
    headed: false,
    mediaBufferMegabytes: 0,
    frames: false,
    instrumentation: 'uninstrumented',
    requests: { urls: [url], bodyBytes, limitMs: 60_000 },
    factors: { migration },
  };
  const load: Load = {
    workload: {} as PreparedWorkload,
    url,
    leftMs: () => 60_000,
    keep: () => undefined,
    keepStep: () => undefined,
    keepTimeline: () => undefined,
    keepSecret: () => undefined,
  };
  const client = await commandDriver(scripted(sizeBytes)).start(options);
  try {
    const { session } = await client.load(load);
    return session?.kind === 'download' ? session.streams[0] : undefined;
  } finally {
    await client.close();
  }
}

test('a client that loses its address begins again at the other one, with the rest of the body', async (t) => {
  const stream = await handedOver(t, { afterBytes: 20_000, then: 'move' });
  assert.equal(stream?.bytes, 80_000);
  const { handover } = stream;
  assert.equal(handover?.keptBytes, 20_000);
  assert.equal(handover.brokenBytes, 20_000);
  assert.ok(handover.lostMs > 0 && handover.recoveredMs > handover.lostMs, JSON.stringify(handover));
  assert.ok(stream.responseEndMs >= handover.recoveredMs);
  assert.ok(stream.connectStartMs > 0 && stream.connectEndMs > stream.connectStartMs);
});

test('or with all of it, of which what had come before is no recovery', async (t) => {
  const stream = await handedOver(t, { afterBytes: 20_000, then: 'restart' });
  assert.equal(stream?.bytes, bodyBytes);
  assert.equal(stream.handover?.keptBytes, 0);
  assert.equal(stream.handover.brokenBytes, 20_000);
});

test('a transfer that ends before its address is lost is no measurement', async (t) => {
  await assert.rejects(handedOver(t, { afterBytes: 20_000, then: 'move' }, 10_000), {
    message: /ended before the address was to be lost/,
  });
});
