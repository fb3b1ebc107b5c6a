import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { readRecords, runCli } from '../support/cli.ts';
import { flightsOfTrial, tsharkLack } from '../support/flights-by-tshark.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { machineWasLate, pathRefused } from '../support/shaped-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

/**
 * A window has ended a flight where its sender waited for a sixteenth of the round trip (`connection-flights.ts`). Half of that
 * is more than a path may be late here, so that times at the client tell what was sent before the wait from what came after it.
 */
const roundTripMs = 100;
const way = { queueBytes: 625_000, delayMs: roundTripMs / 2 };
const customNetworks = { far: { up: { ...way, rateMbps: 20 }, down: { ...way, rateMbps: 100 } } };

/**
 * Packets of each arm's first flight by the link; null where this machine cannot tell.
 *
 * @param isHeldToTshark whether tshark must count the same: of large flights the last packet may come after the acknowledgement on a busy machine
 */
async function counted(
  t: TestContext,
  arms: readonly string[],
  isHeldToTshark: boolean,
): Promise<Map<string, number> | null> {
  const lacking = (await namespaceLack()) ?? (await tsharkLack());
  if (lacking !== undefined) return skipped(t, lacking);
  const folder = tempFolder(t);
  const out = join(folder, 'run');
  const plan = join(folder, 'plan.json');
  const trials = {
    repetitions: 1,
    recordedBlocks: 'all',
    probes: ['capture'],
    exploratory: true,
    quickStart: true,
  };
  const where = { clients: ['embedded'], networks: ['far'], customNetworks, set: { offloads: 'off' } };
  writeFileSync(plan, JSON.stringify({ workloads: ['download-1mb'], arms, ...where, ...trials }));
  const { stderr } = await runCli(['run', plan, '--out', out]);
  const refused = pathRefused(stderr);
  if (refused !== null) return skipped(t, refused);
  const packets = new Map<string, number>();
  for (const record of readRecords(out)) {
    const { arm, trialId, status, reason: why, instrumentation } = record;
    // Nothing is captured of timed trials.
    if (machineWasLate(why) || (instrumentation === 'uninstrumented' && status === 'ok')) continue;
    assert.equal(status, 'ok', `${trialId}: ${why}`);
    const readings = flightsOfTrial(out, record, roundTripMs);
    assert.ok(typeof readings !== 'string', `${arm}: ${typeof readings === 'string' ? readings : ''}`);
    const { flight, seen, acknowledged, isClear } = readings;
    const said = `${arm}: ${flight.packets} packets by the link, ${seen} by tshark${isClear ? '' : ', not clearly'}`;
    t.diagnostic(said);
    // The server did not clearly wait for the answer, because it had no CPU: neither reading tells its window.
    if (flight.isLeast || !isClear) continue;
    if (isHeldToTshark) {
      assert.equal(flight.packets, seen, said);
      if (acknowledged !== undefined)
        assert.equal(flight.acknowledgedBefore?.packets, acknowledged, `${arm}: acknowledged before`);
    }
    packets.set(arm.replace('+offloads=off', ''), flight.packets);
  }
  return packets.size === arms.length
    ? packets
    : skipped(t, 'the machine was late: not every arm has a valid trial');
}

function skipped(t: TestContext, why: string): null {
  t.skip(why);
  return null;
}

test('the first flight that the link tells is what tshark counts at the client, and what a factor sets', async (t) => {
  const packets = await counted(t, ['h2', 'h3', 'h2+initialwindow=32', 'h2+initialwindow=64'], true);
  if (packets === null) return;
  const of = (arm: string): number => packets.get(arm) ?? 0;
  assert.ok(of('h2') >= 9 && of('h2') <= 12, `Linux begins with 10 packets: ${of('h2')}`);
  assert.ok(of('h3') >= 31 && of('h3') <= 40, `quic-go begins with 32 full packets: ${of('h3')}`);
  assert.ok(of('h2+initialwindow=32') >= 30, `as set: ${of('h2+initialwindow=32')}`);
  assert.ok(of('h2+initialwindow=64') >= 60, `as set: ${of('h2+initialwindow=64')}`);
});

test('QUIC begins with as many packets as a factor says, from the server that can be told', async (t) => {
  const place = { platform: process.platform, environment: process.env };
  if ((await findOnPath('go', place)) === undefined) return t.skip('no go to build the server with');
  const arms = ['h3+server=go', 'h3+server=go+initialwindow=10', 'h3+server=go+initialwindow=64'];
  const packets = await counted(t, arms, false);
  if (packets === null) return;
  const [usual = 0, small = 0, large = 0] = arms.map((arm) => packets.get(arm));
  assert.ok(usual >= 31 && usual <= 40, `quic-go’s own: ${usual}`);
  assert.ok(small >= 9 && small <= 14, `as set: ${small}`);
  assert.ok(large >= 60 && large <= 76, `as set: ${large}`);
});
