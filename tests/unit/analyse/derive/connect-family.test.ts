import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectFamily } from '../../../../src/analyse/derive/connect-family.ts';
import { deriveTrial } from '../../../../src/analyse/derive/derive-trial.ts';
import type { LinkFlow } from '../../../../src/core/model/raw-trial.ts';
import {
  harEntry,
  harOf,
  logEntry,
  pageEvidence,
  rawTrial,
  videoEvidence,
  videoSession,
} from './evidence.ts';

type Given = Parameters<typeof connectFamily>[0];

const flow = (family: 4 | 6, clientPort: number, downPackets = 3, serverPort = 8443): LinkFlow => ({
  family,
  transport: 'tcp',
  clientPort,
  serverPort,
  firstMs: 1,
  upPackets: 3,
  upBytes: 2000,
  downPackets,
  downBytes: 1000 * downPackets,
});

/** A trial over a link with this setting; absent: the arm says nothing. */
function given(raw: object, family?: '4' | '6' | 'both', har: Given['har'] = null): Given {
  const testbed = { links: [family === undefined ? {} : { family }] };
  return { raw: { serverLog: [], testbed, ...raw }, har } as unknown as Given;
}

const versionOf = (evidence: Given) => connectFamily(evidence).metrics['connectFamily'];
const logged = (startEpochMs: number, more: object) => ({ startEpochMs, ...more });

test('the server’s log says over which version the first request came, whatever arm and link', () => {
  const serverLog = [logged(20, { family: 4 }), logged(10, { family: 6 })];
  for (const family of [undefined, '4', '6', 'both'] as const)
    assert.equal(versionOf(given({ serverLog }, family)), 6, family);
});

test('where the log names the connection alone, the link says its version', () => {
  const serverLog = [logged(20, { connection: '2' }), logged(10, { connection: '1' })];
  assert.equal(versionOf(given({ serverLog, linkFlows: [flow(4, 1), flow(6, 2)] }, 'both')), 4);
});

test('where the log says neither, all connections that were answered tell it, and those of names do not count', () => {
  const serverLog = [logged(10, {})];
  const linkFlows = [flow(6, 1, 0), flow(4, 2), flow(6, 3, 2, 8053), flow(6, 4, 2, 53)];
  assert.equal(versionOf(given({ serverLog, linkFlows, resolverPort: 8053 }, 'both')), 4);
});

test('a client that had a choice, of which nothing tells what it took, has none, with a warning', () => {
  const serverLog = [logged(10, {})];
  const { metrics, warnings } = connectFamily(
    given({ serverLog, linkFlows: [flow(6, 1), flow(4, 2)] }, 'both'),
  );
  assert.deepEqual([metrics, warnings.length], [{ connectFamily: null }, 1]);
});

test('a path of ours of which nobody names addresses has the version of its only one', () => {
  const serverLog = [logged(10, {})];
  assert.deepEqual(
    ([undefined, '4', '6'] as const).map((family) => versionOf(given({ serverLog }, family))),
    [4, 4, 6],
  );
});

test('of a live address the client’s sockets tell it, or what it recorded, and of sockets of both nothing does', () => {
  const live = (raw: object, har: Given['har'] = null) =>
    versionOf(given({ serverLog: null, testbed: undefined, ...raw }, undefined, har));
  const har = harOf([harEntry(), harEntry({ entry: { serverIPAddress: '2001:db8::1' } })]);
  assert.equal(live({ clientFamilies: [6, 6] }), 6);
  assert.equal(live({}, har), 6);
  assert.equal(live({ clientFamilies: [4, 6] }), null);
  assert.equal(live({ linkFlows: [flow(4, 1)] }), 4);
});

test('a trial that reached nothing has none', () => {
  assert.deepEqual(connectFamily(given({})), { metrics: {}, warnings: [] });
  const tried = given({ serverLog: null, testbed: undefined, linkFlows: [flow(6, 1, 0)] });
  assert.deepEqual(connectFamily(tried), { metrics: {}, warnings: [] });
});

test('every record says it, of an arm that names no version and of a trial that reached its deadline too', async () => {
  const page = pageEvidence({ raw: rawTrial({ serverLog: [logEntry({ family: 6 })] }) });
  const whole = await deriveTrial(page);
  assert.deepEqual([whole.status, whole.metrics['connectFamily']], ['ok', 6]);
  const late = videoEvidence(videoSession({}));
  const { metrics } = await deriveTrial({ ...late, raw: { ...late.raw, outcome: 'deadline' } });
  assert.deepEqual([metrics['deadlineMs'], metrics['connectFamily']], [late.raw.deadlineMs, 4]);
});
