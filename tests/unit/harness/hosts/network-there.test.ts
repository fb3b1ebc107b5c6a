import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { LinkFromClient } from '../../../../harness/hosts/client-link.ts';
import { networkThere } from '../../../../harness/hosts/network-there.ts';
import { asSent } from '../../../../harness/hosts/sent-settings.ts';
import type {
  NetworkProvider,
  NetworkStartOptions,
  RunningNetwork,
} from '../../../../harness/network/network.ts';
import { setupContextIn } from '../../../support/setup-context.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const description = {
  id: 'cable',
  backend: 'emulator',
  description: 'cable\u001b[2J',
  impaired: true,
  privilege: 'root',
  offloads: null,
  checks: [],
  notes: ['a\nnote'],
};

/** A network that another machine says it has started, and what was asked of that machine. */
async function startedOn(t: TestContext): Promise<{
  readonly network: RunningNetwork;
  readonly asked: readonly (readonly [string, unknown])[];
  readonly reconnect: () => void;
}> {
  const asked: [string, unknown][] = [];
  const answers: Readonly<Record<string, unknown>> = {
    startNetwork: {
      network: 3,
      description,
      tells: { starts: true, queue: false, course: true },
      transferMs: [30_000, 90_000],
      clientPrefix: ['rm'],
    },
    networkCounts: { counters: { drops: 2 }, flows: null, starts: [] },
  };
  const host = {
    host: 'far',
    session: 1,
    lost: () => undefined,
    ask: (call: string, given: unknown) => {
      asked.push([call, given]);
      return Promise.resolve({ answered: answers[call] ?? {} });
    },
  };
  const link = {
    place: { host, address: '10.0.0.1' },
    figures: () => Promise.resolve({ roundTripMs: 1, upMbps: 900, downMbps: 900 }),
    answered: (work: (options: object) => unknown) =>
      work({ address: '10.0.0.1', port: 8443, token: 'ab'.repeat(16) }),
  };
  const provider = networkThere(
    { id: 'cable', title: 'cable' } as NetworkProvider,
    [],
    link as unknown as LinkFromClient,
    setupContextIn(tempFolder(t)),
  );
  const options = { hosts: ['a.test'], tcpCongestionControl: 'reno', workDir: '/here' };
  const network = await provider.start(options as unknown as NetworkStartOptions);
  return { network, asked, reconnect: () => void host.session++ };
}

test('a network over there is known by its number, and no word of that machine comes to a command here', async (t) => {
  const { network, asked } = await startedOn(t);
  assert.deepEqual([network.clientPrefix, network.serverPrefix], [[], []]);
  assert.equal(network.elsewhere?.network, 3);
  assert.deepEqual([network.serverAddress, network.farAddress], ['10.0.0.1', '10.0.0.1']);
  assert.equal(network.description.description, 'cable\\u001b[2J');
  assert.deepEqual(network.description.notes, ['a note']);
  assert.equal(network.transferTimeoutMs?.(5e8), 60_000);
  const [[call, given] = ['', {}]] = asked;
  assert.equal(call, 'startNetwork');
  assert.ok(!JSON.stringify(given).includes('/here'));
});

test('what is counted of it is one question, and what it tells less than it said is refused', async (t) => {
  const { network, asked } = await startedOn(t);
  const [counters, flows, starts] = await Promise.all([
    network.counters(),
    network.flows?.(),
    network.connectionStarts?.(),
  ]);
  assert.deepEqual([counters, flows, starts], [{ drops: 2 }, null, []]);
  assert.equal(asked.filter(([call]) => call === 'networkCounts').length, 1);
  assert.equal(network.queue, undefined);
  await assert.rejects(async () => network.course?.(), { code: 'bad-input' });
});

test('it goes with the connection over which it was started', async (t) => {
  const { network, asked, reconnect } = await startedOn(t);
  assert.equal(network.elsewhere?.isLost(), false);
  reconnect();
  assert.equal(network.elsewhere?.isLost(), true);
  const before = asked.length;
  await network.stop();
  assert.equal(asked.length, before);
});

test('what factors say is sent as it is, or not at all', () => {
  assert.deepEqual(asSent({ rate: 5, queue: { kind: 'codel' } }), { rate: 5, queue: { kind: 'codel' } });
  assert.throws(() => asSent({ rate: Number.POSITIVE_INFINITY }), { code: 'internal' });
});
