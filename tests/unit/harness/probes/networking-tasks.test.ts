import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkingTaskCounters } from '../../../../harness/probes/networking-tasks.ts';

const task = (ts: number, dur: number, args: object, pid = 7) => ({
  ph: 'X',
  pid,
  tid: 1,
  name: 'Task',
  ts,
  dur,
  args,
});

test('tasks of the network service are counted by where they were posted, the inner ones within the outer', () => {
  const traceEvents = [
    {
      ph: 'M',
      pid: 7,
      tid: 0,
      name: 'process_name',
      args: { name: 'Service: network.mojom.NetworkService' },
    },
    { ph: 'M', pid: 8, tid: 0, name: 'process_name', args: { name: 'Renderer' } },
    task(0, 4000, { src_file: 'net/spdy/spdy_session.cc' }),
    task(1000, 1000, { src_file: 'services/network/url_loader.cc' }),
    task(5000, 2000, { controller_created_from: { file_name: 'net/socket/socket_posix.cc' } }),
    { ...task(8000, 3000, { src_file: 'services/network/url_loader.cc' }), tdur: 1000 },
    task(12_000, 500, { src_file: 'net/http/http_cache.cc' }),
    task(13_000, 500, {}),
    task(0, 9000, { src_file: 'net/quic/quic_session.cc' }, 8),
    { ph: 'X', broken: true },
  ];
  assert.deepEqual(networkingTaskCounters({ traceEvents }), {
    networkingTaskTransportMs: 6,
    networkingTaskRequestsMs: 0.5,
    networkingTaskHandOverMs: 1,
    networkingTaskRestMs: 0.5,
  });
});

test('a trace without a network service counts nothing, and what is no trace is refused', () => {
  assert.deepEqual(networkingTaskCounters({ traceEvents: [] }), {});
  assert.throws(() => networkingTaskCounters({ events: 1 }));
});
