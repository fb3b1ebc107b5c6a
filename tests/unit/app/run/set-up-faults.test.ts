import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrialOutcome } from '../../../../harness/trial/runner.ts';
import { SetUpFaults } from '../../../../src/app/run/set-up-faults.ts';
import { H2h3Error } from '../../../../src/model/errors.ts';

const noPath = (reason: string): TrialOutcome => ({
  kind: 'not-measured',
  status: 'unsupported',
  reason,
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

test('when no warm-up came as far as a browser the run ends, with each reason once', () => {
  const faults = new SetUpFaults();
  faults.note({ client: 'a' }, noPath('no Caddy'));
  faults.note({ client: 'a' }, noPath('no Caddy'));
  faults.note({ client: 'b' }, tried(false, 'b did not start'));
  assert.throws(
    () => faults.throwIfNothingWorks(),
    (error) => {
      assert.ok(error instanceof H2h3Error && error.code === 'unsupported');
      assert.match(error.message, /no Caddy/);
      assert.equal(error.context['also'], 'b did not start');
      return true;
    },
  );
});

test('a page that fails in a browser that runs is no fault of the set-up', () => {
  const faults = new SetUpFaults();
  faults.note({ client: 'a' }, tried(true, 'ERR_QUIC_PROTOCOL_ERROR'));
  faults.note({ client: 'a' }, noPath('nginx is not here'));
  faults.throwIfNothingWorks();
  assert.equal(faults.clientsThatDoNotStart().size, 0);
});

test('a client that never started is not tried again, one that started once is', () => {
  const faults = new SetUpFaults();
  faults.note({ client: 'broken' }, tried(false, 'no libnss3'));
  faults.note({ client: 'broken' }, tried(false, 'no libnss3'));
  faults.note({ client: 'flaky' }, tried(false, 'it ended at once'));
  faults.note({ client: 'flaky' }, tried(true));
  faults.throwIfNothingWorks();
  assert.deepEqual([...faults.clientsThatDoNotStart().keys()], ['broken']);
});
