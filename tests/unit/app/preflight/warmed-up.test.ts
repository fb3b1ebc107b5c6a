import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrialOutcome } from '../../../../harness/trial/measurement.ts';
import { errorOf, judgePlan, type Judged } from '../../../../src/app/preflight/preflight.ts';
import type { WarmUp } from '../../../../src/app/preflight/facts.ts';
import { brokenClients } from '../../../../src/app/preflight/warmed-up.ts';
import { warmUpOf } from '../../../../src/app/run/warm-up.ts';
import { reasonOf } from '../../../../src/core/model/reasons.ts';
import { planFromRequest, readPlanRequest } from '../../../../src/app/plan/plan-request.ts';

const noPath = (text: string): TrialOutcome => ({
  kind: 'not-measured',
  status: 'unsupported',
  reason: reasonOf('not-offered', text),
  startedAt: '2026-01-01T00:00:00Z',
  durationMs: 1,
});

function tried(started: boolean, message?: string): TrialOutcome {
  const raw = {
    browser: started ? { name: 'Chromium', version: '156' } : null,
    ...(message === undefined ? {} : { error: { code: 'process-failed', message } }),
  };
  return { kind: 'measured', hasHar: false, postProcessMs: 0, raw } as unknown as TrialOutcome;
}

const { plan } = planFromRequest(
  readPlanRequest('download', {
    workload: 'download-1mb',
    network: 'loopback',
    client: 'chromium,firefox',
    repetitions: '8',
  }),
  'test',
);

const of = (client: string, arm: string, outcome: TrialOutcome): WarmUp =>
  warmUpOf({ trialId: 'b000', client, arm, network: 'loopback', server: 'caddy' }, outcome);

const judged = (warmUps: readonly WarmUp[]): Promise<Judged> =>
  judgePlan(plan, { warmUps }, { fresh: ['warmUps'] });

test('when no warm-up came as far as a browser the run does not begin, with each reason once', async () => {
  const { refusals } = await judged([
    of('chromium', 'h2', noPath('no Caddy')),
    of('chromium', 'h3', noPath('no Caddy')),
    of('firefox', 'h2', tried(false, 'firefox did not start')),
  ]);
  const error = errorOf(refusals);
  assert.equal(error?.code, 'unsupported');
  assert.match(error.message, /no Caddy/);
  assert.equal(error.context['also'], 'firefox did not start');
});

test('a run both of whose warm-ups failed in a browser that runs does not begin', async () => {
  const { refusals } = await judged([
    of('chromium', 'h2', tried(true, 'net::ERR_CONNECTION_REFUSED')),
    of('chromium', 'h3', tried(true, 'net::ERR_QUIC_PROTOCOL_ERROR')),
  ]);
  const error = errorOf(refusals);
  assert.equal(error?.code, 'process-failed');
  assert.match(error.message, /every discarded warm-up failed.*ERR_CONNECTION_REFUSED/);
  assert.equal(error.context['also'], 'net::ERR_QUIC_PROTOCOL_ERROR');
});

test('a page that fails in one of two browsers that run is a warning', async () => {
  const { refusals, warnings } = await judged([
    of('chromium', 'h2', tried(true, 'ERR_QUIC_PROTOCOL_ERROR')),
    of('chromium', 'h3', tried(true)),
  ]);
  assert.deepEqual(refusals, []);
  assert.deepEqual(warnings, ['the discarded warm-up of chromium h2 failed: ERR_QUIC_PROTOCOL_ERROR']);
});

test('a client that never started is not tried again, one that started once is', async () => {
  const warmUps = [
    of('chromium', 'h2', tried(false, 'no libnss3')),
    of('chromium', 'h3', tried(false, 'no libnss3')),
    of('firefox', 'h2', tried(false, 'it ended at once')),
    of('firefox', 'h3', tried(true)),
  ];
  assert.deepEqual([...brokenClients(warmUps).keys()], ['chromium']);
  const { refusals, warnings } = await judged(warmUps);
  assert.deepEqual(refusals, []);
  assert.match(warnings.join('\n'), /chromium does not start \(no libnss3\): 18 trials unsupported/);
});

test('a run one of whose two arms has no path does not begin: nothing would be compared', async () => {
  const both = (client: string): WarmUp[] => [
    of(client, 'h2', tried(true)),
    of(client, 'h3', noPath('no UDP on this path')),
  ];
  const { refusals } = await judged([...both('chromium'), ...both('firefox')]);
  assert.match(errorOf(refusals)?.message ?? '', /nothing to compare: .*no UDP on this path/);
});
