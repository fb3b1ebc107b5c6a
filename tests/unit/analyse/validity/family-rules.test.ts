import assert from 'node:assert/strict';
import { test } from 'node:test';
import { familyFindings } from '../../../../src/analyse/validity/family-rules.ts';
import type { LinkFlow, ServerLogEntry } from '../../../../src/core/model/raw-trial.ts';

type Given = Parameters<typeof familyFindings>[0];

/** A testbed whose one link has this version of IP. */
const testbedOf = (family: '4' | '6' | 'both' | undefined): Given['testbed'] => ({
  links: [
    {
      id: 'cable',
      backend: 'emulator',
      impaired: true,
      roundTripMs: 20,
      upMbps: 20,
      downMbps: 100,
      upLossPercent: 0,
      downLossPercent: 0,
      steady: true,
      offloads: null,
      checksPassed: 4,
      ...(family === undefined ? {} : { family }),
    },
  ],
  server: {
    id: 'caddy',
    name: 'Caddy',
    version: '2',
    quicCongestionControl: 'cubic',
    tcpCongestionControl: 'cubic',
  },
  proxies: [],
  roundTripMs: 20,
  steady: true,
});

const flow = (family: 4 | 6 | undefined, serverPort = 8443): LinkFlow => ({
  transport: 'udp',
  clientPort: 50_000,
  serverPort,
  upPackets: 10,
  upBytes: 1000,
  downPackets: 10,
  downBytes: 1000,
  ...(family === undefined ? {} : { family }),
});

const entry = (family: 4 | 6 | undefined): ServerLogEntry => ({
  host: 'a.test',
  path: '/a.css',
  method: 'GET',
  protocol: 'h3',
  status: 200,
  bytes: 10,
  startEpochMs: 1,
  durationMs: 1,
  ...(family === undefined ? {} : { family }),
});

const reasonsOf = (given: Given): string[] => familyFindings(given).map(({ reason }) => reason);

test('an arm of one version of IP is proven by flows and log, and others are not asked', () => {
  const both = { linkFlows: [flow(6), flow(4, 53)], serverLog: [entry(6)] };
  assert.deepEqual(reasonsOf({ testbed: testbedOf('6'), ...both }), []);
  assert.deepEqual(
    reasonsOf({ testbed: testbedOf(undefined), linkFlows: [flow(4)], serverLog: [entry(6)] }),
    [],
  );
  assert.deepEqual(reasonsOf({ testbed: testbedOf('4'), serverLog: [entry(4)] }), []);
});

test('what went over the other version is named', () => {
  const testbed = testbedOf('6');
  assert.deepEqual(reasonsOf({ testbed, linkFlows: [flow(6), flow(4)], serverLog: [entry(6)] }), [
    'a connection to port 8443 went over IPv4, not IPv6',
  ]);
  assert.deepEqual(reasonsOf({ testbed, linkFlows: [flow(6)], serverLog: [entry(6), entry(4)] }), [
    '/a.css was asked for over IPv4, not IPv6, says the server’s log',
  ]);
});

test('a client of both versions must have learnt of an address of each', () => {
  const asked = (type: string, found = true) => ({ atEpochMs: 1, name: 'a.test', type, found });
  const both = { testbed: testbedOf('both'), linkFlows: [flow(4), flow(6)], serverLog: [entry(4)] };
  assert.deepEqual(reasonsOf({ ...both, nameQuestions: [asked('A'), asked('AAAA')] }), []);
  assert.deepEqual(reasonsOf({ ...both, nameQuestions: [asked('A'), asked('AAAA', false)] }), [
    'the client asked the testbed’s resolver for no AAAA record',
  ]);
  assert.deepEqual(reasonsOf(both), ['the client asked the testbed’s resolver for no A record']);
});

test('nothing that says so is no proof', () => {
  const [finding] = familyFindings({
    testbed: testbedOf('6'),
    linkFlows: [flow(undefined)],
    serverLog: [entry(undefined)],
  });
  assert.equal(finding?.reasonCode, 'no-evidence');
});
