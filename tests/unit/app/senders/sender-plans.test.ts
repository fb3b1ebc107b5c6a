import assert from 'node:assert/strict';
import { test } from 'node:test';
import { senderPlan, senderRuns, type SenderRequest } from '../../../../src/app/senders/sender-plans.ts';
import { senderProperties } from '../../../../src/analyse/senders/properties.ts';
import { disturbanceOf } from '../../../../src/analyse/senders/sender-path.ts';

const usual: SenderRequest = { servers: ['caddy', 'go'], client: 'best', repeats: 8, all: false };

test('what tells most takes three runs, of which the first alone loads everything beforehand', () => {
  assert.deepEqual(senderRuns(usual), ['outage', 'lossy', 'disturbed']);
  const plans = senderRuns(usual).map((run) => senderPlan(run, usual));
  assert.deepEqual(
    plans.map(({ workloads }) => workloads),
    [['download-2500kb'], ['download-1mb'], ['download-8mb']],
  );
  assert.deepEqual(
    plans.map(({ quickStart }) => quickStart),
    [undefined, true, true],
  );
  for (const { arms, repetitions } of plans) {
    assert.equal(arms?.length, 4);
    assert.equal(repetitions, 8);
  }
});

test('each property has a run in which it is told, and its trials are known for what they met', () => {
  for (const { id, readIn, over } of senderProperties) {
    const request = { ...usual, properties: [id] };
    const [run, ...others] = senderRuns(request);
    assert.ok(run !== undefined && others.length === 0, id);
    const { workloads = [], networks = [], arms = [] } = senderPlan(run, request);
    const factors = arms.filter((arm) => typeof arm === 'object');
    assert.ok(factors.length > 0 && factors.length === arms.length, id);
    for (const arm of factors) {
      const values = Object.fromEntries(
        Object.entries(arm).map(([name, value]) => [name, value === undefined ? undefined : String(value)]),
      );
      const met = disturbanceOf({
        factors: { network: networks.join(), ...values },
        workload: String(workloads[0]),
      });
      assert.ok(readIn.includes(met), `${id} ${over ?? ''}: ${met}`);
    }
  }
});

test('programs of the command line measure all but what only a page does', () => {
  const all = senderRuns({ ...usual, all: true });
  const ofProgram = senderRuns({ ...usual, all: true, client: 'curl' });
  assert.deepEqual(
    all.filter((run) => !ofProgram.includes(run)),
    ['rested', 'unread'],
  );
});
