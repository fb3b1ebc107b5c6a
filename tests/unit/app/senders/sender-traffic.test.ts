import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minRepeats } from '../../../../src/analyse/senders/fingerprint.ts';
import { senderProperties } from '../../../../src/analyse/senders/properties.ts';
import { disturbanceOf } from '../../../../src/analyse/senders/sender-path.ts';
import { maxArmBytes, maxPropertyBytes, trafficOf } from '../../../../src/analyse/senders/sender-traffic.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';
import { trafficReached } from '../../../../src/app/run/traffic-limit.ts';
import { senderPlan, senderRuns, type SenderRequest } from '../../../../src/app/senders/sender-plans.ts';
import type { Har } from '../../../../src/core/model/har.ts';
import type { PlannedTrial } from '../../../../src/core/model/plan.ts';
import type { TrialRecord } from '../../../../src/core/model/record.ts';
import { senderTraffic } from '../../../../reports/format/sender-words.ts';

const one: SenderRequest = { servers: ['caddy'], client: 'chromium', repeats: minRepeats, all: true };

/** What packets add to a body, and what is sent again. */
const overhead = 1.1;

test('no property of a server is planned to load more than 200 MB, in all repeats over both protocols', () => {
  const planned = senderRuns(one).flatMap((run) => {
    const { plan, workloads } = planFromRequest(readPlanRequest(undefined, {}, [], senderPlan(run, one)), '');
    const byId = new Map(workloads.map((workload) => [workload.id, workload.transfer]));
    return plan.trials.map((trial) => {
      const { bytes = NaN, besideBytes = 0 } = byId.get(trial.workload) ?? {};
      return { met: disturbanceOf(trial), bytes: overhead * (bytes + besideBytes) };
    });
  });
  for (const { id, readIn } of senderProperties) {
    const [madeFor] = readIn;
    const all = planned.filter(({ met }) => met === madeFor);
    const bytes = all.reduce((sum, trial) => sum + trial.bytes, 0);
    assert.ok(all.length >= minRepeats, id);
    assert.ok(bytes <= maxPropertyBytes, `${id}: ${bytes / 1e6} MB`);
  }
});

const trial = { arm: 'h3+server=caddy', workload: 'download-8mb', factors: {} } as PlannedTrial;

/** As the link counts it. */
const loaded = (megabytes: number, arm = trial.arm, factors: Readonly<Record<string, string>> = {}) =>
  ({
    arm,
    factors,
    workload: trial.workload,
    metrics: {},
    counters: {
      emulatorDownUdpBytes: megabytes * 0.9e6,
      emulatorUpUdpBytes: megabytes * 0.1e6,
      emulatorDownBytes: 1,
    },
  }) as unknown as TrialRecord;

test('no block begins in which an arm would come to have loaded more than it may', () => {
  const reached = (megabytes: readonly number[], block = [trial]) =>
    trafficReached(
      { records: megabytes.map((each) => loaded(each)), block, scouted: new Map() },
      maxArmBytes,
    );
  assert.equal(reached([]), null);
  assert.equal(reached(Array<number>(11).fill(8.3)), null);
  const over = reached(Array<number>(12).fill(8.3));
  assert.equal(over?.code, 'traffic');
  assert.match(
    over?.text ?? '',
    /has loaded 99\.6 MB, and its next trial about 8\.3 MB more: the limit is 100 MB$/,
  );
  // Trials differ, and the next may be as large as the largest.
  assert.equal(reached([30, 31])?.code, undefined);
  assert.equal(reached([30, 36])?.code, 'traffic');
  assert.equal(reached([99], [{ ...trial, arm: 'h2+server=caddy' }]), null, 'another arm');
});

test('a live address that answers with more than an arm may load is not asked for it by any trial', () => {
  const response = { bodySize: 120_000_000 };
  const har = { log: { entries: [{ response }] } } as unknown as Har;
  const reached = (bodies: Har) =>
    trafficReached(
      { records: [], block: [trial], scouted: new Map([[trial.workload, bodies]]) },
      maxArmBytes,
    );
  assert.match(reached(har)?.text ?? '', /has loaded 0\.0 MB, and its next trial about 120\.0 MB more/);
  response.bodySize = -1;
  assert.equal(reached(har), null, 'a size that is not known');
});

test('the answer says what was loaded for a property and what may be, of each server alone', () => {
  const burst = { lossburst: '30%/2s@1500ms' };
  const records = [
    loaded(9, 'a', { server: 'caddy', ...burst }),
    loaded(10, 'b', { server: 'caddy', ...burst }),
    loaded(12, 'c', { server: 'go', ...burst }),
    loaded(2, 'd', { server: 'go' }),
  ];
  const traffic = trafficOf(['caddy', 'go'], records);
  assert.equal(traffic?.loadedBytes, 19e6);
  assert.equal(
    senderTraffic({ traffic }),
    'Traffic: at most 19 MB for a property of a server (Packets lost to its own queue). The limit is 200 MB.',
  );
  assert.equal(trafficOf(['caddy'], []), undefined);
  assert.equal(senderTraffic({}), '');
});
