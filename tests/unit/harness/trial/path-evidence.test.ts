import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOf, takeCounts } from '../../../../harness/trial/path-evidence.ts';
import type { RunningServer } from '../../../../harness/servers/server.ts';
import type { Testbed } from '../../../../harness/testbed/testbed.ts';

const counters = { UdpRcvbufErrors: 3 };

/** A chain of these: the first is what the client speaks with, the last has the content. */
function testbedOf(...senders: readonly Partial<RunningServer>[]): Testbed {
  const network = { counters: () => Promise.resolve(counters) };
  return { network, front: senders[0], server: senders.at(-1) } as unknown as Testbed;
}

test('what another machine says of its server’s CPU time keeps nothing waiting that begins when the path was read', async () => {
  const said = Promise.withResolvers<ReadonlyMap<number, never>>();
  const { path, counts } = takeCounts(testbedOf({ cpuTimes: () => said.promise }));
  await path;
  const cpu = new Map<number, never>();
  said.resolve(cpu);
  assert.deepEqual(await counts, {
    counters,
    flows: null,
    starts: undefined,
    queue: undefined,
    course: undefined,
    serverCpu: cpu,
  });
});

test('everything that a trial begins with is asked at once, and the log of one server once', async () => {
  const asked: string[] = [];
  const released = Promise.withResolvers<void>();
  const sender = (name: string, mark: number): Partial<RunningServer> => ({
    mark: async () => {
      asked.push(`mark of ${name}`);
      await released.promise;
      return mark;
    },
    cpuTimes: async () => {
      asked.push(`CPU time of ${name}`);
      await released.promise;
      return new Map();
    },
  });
  const single = startOf(testbedOf(sender('server', 7)));
  assert.deepEqual(asked.splice(0), ['mark of server', 'CPU time of server']);
  const chain = startOf(testbedOf(sender('proxy', 1), sender('server', 2)));
  assert.deepEqual(asked, ['mark of proxy', 'mark of server', 'CPU time of proxy']);
  released.resolve();
  const { mark, upstreamMark } = await single;
  assert.deepEqual([mark, upstreamMark], [7, 7]);
  assert.deepEqual(await chain, { mark: 1, upstreamMark: 2, counters, serverCpu: new Map() });
  assert.deepEqual(await startOf(null), { mark: 0, upstreamMark: 0, counters: {}, serverCpu: undefined });
});
