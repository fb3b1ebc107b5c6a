import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costMetrics, cpuSecondsByProcess } from '../../../../src/analyse/derive/cost-metrics.ts';
import { rawTrial } from './evidence.ts';

const close = (actual: number | null | undefined, expected: number): void =>
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} is not ${expected}`);

test('CPU seconds are summed by role, and over all roles', () => {
  const cpu = [
    { pid: 1, role: 'renderer', userSeconds: 1, systemSeconds: 0.5 },
    { pid: 2, role: 'renderer', userSeconds: 2, systemSeconds: 0 },
    { pid: 3, role: 'network', userSeconds: 0, systemSeconds: 0.25 },
  ];
  assert.deepEqual(cpuSecondsByProcess(cpu), { renderer: 3.5, network: 0.25, all: 3.75 });
});

test('percentages refer to the measured wall time, cost to bytes received', () => {
  const { metrics, warnings } = costMetrics(rawTrial(), 500_000_000);
  close(metrics['cpuSeconds'], 0.5);
  close(metrics['networkServiceCpuPercent'], 5);
  close(metrics['browserCpuPercent'], 50);
  close(metrics['cpuSecondsPerGigabyte'], 1);
  assert.deepEqual(warnings, []);
});

test("Firefox's networking is done by its parent process, and a warning says so", () => {
  const cpu = [
    { pid: 1, role: 'browser', userSeconds: 0.3, systemSeconds: 0.1 },
    { pid: 2, role: 'network', userSeconds: 0, systemSeconds: 0 },
  ];
  const { metrics, warnings } = costMetrics(
    rawTrial({ cpu, browser: { name: 'Firefox', version: '153' } }),
    1,
  );
  close(metrics['networkServiceCpuPercent'], 40);
  assert.match(warnings.join(), /parent process does the networking/);
});

test('no CPU time of a networking process is null, not zero', () => {
  const cpu = [{ pid: 1, role: 'browser', userSeconds: 0.3, systemSeconds: 0.1 }];
  const { metrics, warnings } = costMetrics(rawTrial({ cpu }), 1);
  assert.equal(metrics['networkServiceCpuPercent'], null);
  assert.match(warnings.join(), /networkServiceCpuPercent/);
});

test('without CPU times there is no cost, but counters are kept', () => {
  const counters = { packetsReceived: 812, UdpRcvbufErrors: 3 };
  const { metrics, warnings } = costMetrics(rawTrial({ cpu: null, serverCpu: [], counters }), 1);
  assert.deepEqual(metrics, { packetsReceived: 812 });
  assert.match(warnings.join(), /no CPU times/);
});

test('the share of application limited time is of all states that the sender names', () => {
  const counters = { quicSlowStartMs: 10, quicCongestionAvoidanceMs: 60, quicApplicationLimitedMs: 30 };
  assert.equal(costMetrics(rawTrial({ cpu: null, counters }), 1).metrics['applicationLimitedPercent'], 30);
});

test('nothing received and nothing measured divide by nothing', () => {
  const { metrics } = costMetrics(rawTrial({ measuredMs: 0 }), 0);
  assert.equal(metrics['cpuSecondsPerGigabyte'], null);
  assert.equal(metrics['browserCpuPercent'], null);
});

test('the server’s CPU time is that of all its processes, and what it cost is held to what it sent', () => {
  const serverCpu = [
    { pid: 7, role: 'server', userSeconds: 0.02, systemSeconds: 0.01 },
    { pid: 8, role: 'server', userSeconds: 0.3, systemSeconds: 0.07 },
  ];
  const { metrics } = costMetrics(rawTrial({ serverCpu }), 200_000_000);
  close(metrics['serverCpuSeconds'], 0.4);
  close(metrics['serverCpuSecondsPerGigabyte'], 2);
  const idle = [{ pid: 7, role: 'server', userSeconds: 0, systemSeconds: 0 }];
  for (const none of [[], idle]) {
    const cost = costMetrics(rawTrial({ serverCpu: none }), 1).metrics;
    assert.ok(!('serverCpuSeconds' in cost) && !('serverCpuSecondsPerGigabyte' in cost));
  }
});
