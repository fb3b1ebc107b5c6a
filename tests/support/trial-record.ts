import type { TrialRecord } from '../../src/core/model/record.ts';

/** A record that is ok, with whatever the test wants different. */
export function trialRecord(parts: Partial<TrialRecord> = {}): TrialRecord {
  return {
    schemaVersion: 1,
    trialId: 'b000-c00-page-a-h2',
    blockIndex: 0,
    arm: 'h2',
    workload: 'page-a',
    client: 'chromium',
    network: 'loopback',
    server: 'caddy',
    factors: { protocol: 'h2', client: 'chromium', network: 'loopback', server: 'caddy' },
    instrumentation: 'uninstrumented',
    status: 'ok',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1000,
    postProcessMs: 10,
    metrics: { pltMs: 200 },
    artifacts: {},
    warnings: [],
    ...parts,
  };
}
