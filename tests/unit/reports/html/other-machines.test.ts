import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hero } from '../../../../reports/html/sections/hero.ts';
import { trust } from '../../../../reports/html/sections/trust.ts';
import { reportContext } from '../../../../reports/html/report-context.ts';
import { summarise } from '../../../../src/analyse/summary/summarise.ts';
import type { Environment, OtherHost } from '../../../../src/core/model/environment.ts';
import { environmentFixture } from '../../../support/environment-fixture.ts';
import { generateRun } from '../../../support/generated-run.ts';

const { plan, records } = generateRun({ blocks: 2 });
const fixture = environmentFixture(['chromium'], ['none']);
const [network] = fixture.networks;
assert.ok(network);

function hostOf(host: string, cpuCount: number, tcpCongestionControl: string): OtherHost {
  return {
    host,
    hostName: host,
    machine: { ...fixture.machine, cpuCount },
    node: '24.0.0',
    clockOffsetMs: 1,
    clockBoundMs: 1,
    nic: {
      device: 'eth0',
      mtuBytes: 1500,
      speedMbps: 1000,
      queueing: 'mq',
      offloads: null,
      receiveBufferBytes: 212_992,
      sending: {
        tcpCongestionControl,
        initialWindowPackets: null,
        tcpSendBufferBytes: 4_194_304,
        tcpReceiveBufferBytes: 6_291_456,
        sendBufferBytes: 212_992,
        slowStartAfterIdle: 'on',
      },
    },
  };
}

const serverHost = hostOf('lab', 8, 'bbr');
const clientHost = hostOf('pi', 4, 'cubic');

function sectionsOf(environment: Partial<Environment>): string {
  const summary = summarise(plan, records, { ...fixture, ...environment }, []);
  const context = reportContext(summary);
  return [hero(context), trust(context)].map(String).join('');
}

test('machines of servers and of clients are counted, and each is told with what it sends by', () => {
  const real = { networks: [{ ...network, backend: 'real' as const }] };
  const uploads = 'Over the real link the client’s machine sends uploads by TCP cubic, ';
  const both = sectionsOf({ ...real, serverHost, clientHost });
  for (const words of [
    'server on a second machine (8 CPUs)',
    'client on a third machine (4 CPUs)',
    'Server machine: TCP and buffers',
    'Client machine: TCP and buffers',
    'TCP bbr, the kernel’s initial window, tcp_wmem 4194304',
    uploads,
  ])
    assert.ok(both.includes(words), words);
  const clientsAlone = sectionsOf({ ...real, clientHost });
  assert.ok(clientsAlone.includes('client on a second machine (4 CPUs)'));
  const { nic } = clientHost;
  assert.ok(nic);
  assert.ok(sectionsOf({ ...real, serverHost: { ...serverHost, clientNic: nic } }).includes(uploads));
  // An emulated network sets TCP at the client, and notes it.
  assert.ok(!sectionsOf({ serverHost, clientHost }).includes('sends uploads by'));
  assert.ok(!sectionsOf(real).includes('machine (4 CPUs)'));
});
