/**
 * Holds the first flight that the emulated link tells against tshark's count of the same packets at the client, connection by
 * connection, for each server over both protocols:
 *
 *     npm run verify:flights [-- --connections 100] [--servers caddy,go,ngtcp2] [--folder DIR]
 *
 * Before that so many runs of like senders are made, in which no side may be told to begin with more:
 *
 *     npm run verify:flights -- --self-checks 50 --servers ''
 *
 * It wants namespaces and tshark (Debian: `h2h3 setup --system`). A connection takes about three seconds, so that 100 of each kind of
 * eight servers take more than an hour. Captures are removed with each server's run unless the folder is named.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRecords, readSummary, startCli } from '../support/cli.ts';
import { flightsOfTrial, tsharkLack, type TwoReadings } from '../support/flights-by-tshark.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '100' },
    servers: { type: 'string', default: 'caddy,go,nginx@1.26,nginx@1.30,haproxy@3.2,envoy,ngtcp2,tquic' },
    'self-checks': { type: 'string', default: '0' },
    folder: { type: 'string' },
  },
});
const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-flights-'));
/** Of the network `cable`, without queueing. */
const roundTripMs = 20;
/** They serve downloads of command-line clients over HTTP/3 alone. */
const h3Alone = ['ngtcp2', 'tquic'];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Tally {
  connections: number;
  equal: number;
  /** The link tells no first flight. */
  unknown: number;
  /** The trial does not count. */
  lost: number;
  /** Fewest and most packets by tshark. */
  packets: [number, number];
  readonly unlike: string[];
}

const emptyTally = (): Tally => ({
  connections: 0,
  equal: 0,
  unknown: 0,
  lost: 0,
  packets: [Infinity, -Infinity],
  unlike: [],
});

async function run(asked: string, out: string): Promise<void> {
  const { child, result } = startCli([...`run ${asked} --exploratory --out`.split(' '), out]);
  child.stderr?.pipe(process.stderr);
  const { code } = await result;
  assert.equal(code, 0, asked);
}

/** One download each over a connection of its own, captured at the client. */
function measure(server: string, out: string): Promise<void> {
  const isAlone = h3Alone.includes(server);
  const asked = `--workload download-1mb --network cable --server ${server} --repetitions ${values.connections}`;
  const how = `--arms ${isAlone ? 'h3,h3#2' : 'h2,h3'} --client ${isAlone ? 'quic-go' : 'embedded'}`;
  return run(`${asked} ${how} --set offloads=off --probe capture --recorded all`, out);
}

/** Runs of a page over one protocol against itself, in turns; how many name a side that begins with more. */
async function accusedOf(count: number): Promise<number> {
  let accused = 0;
  for (let index = 0; index < count; index++) {
    const out = join(values.folder ?? temporary, `self-check-${index}`);
    const arms = index % 2 === 0 ? 'h3,h3#2' : 'h2,h2#2';
    await run(
      `--sites page-agency --client embedded --network cable --arms ${arms} --repetitions 3 --recorded 0`,
      out,
    );
    const { firstFlights = [], unlikeFirstFlights = [] } = readSummary(out);
    assert.ok(
      firstFlights.some(({ packets }) => packets !== null),
      'no first flight is known',
    );
    for (const { sentence } of unlikeFirstFlights) say(`  ${sentence}`);
    if (unlikeFirstFlights.length > 0) accused += 1;
    if (values.folder === undefined) rmSync(out, { recursive: true, force: true });
  }
  return accused;
}

function countIn(tally: Tally, readings: TwoReadings | string, name: string): void {
  tally.connections += 1;
  if (typeof readings === 'string') {
    tally.unknown += 1;
    return;
  }
  const { flight, seen, acknowledged = flight.acknowledgedBefore?.packets } = readings;
  tally.packets = [Math.min(tally.packets[0], seen), Math.max(tally.packets[1], seen)];
  const before = flight.acknowledgedBefore?.packets;
  if (flight.packets === seen && before === acknowledged) tally.equal += 1;
  else
    tally.unlike.push(
      `${name}: ${flight.packets} by the link, ${seen} by tshark, acknowledged before ${before} and ${acknowledged}`,
    );
}

let unlike = 0;
try {
  const lacking = await tsharkLack();
  if (lacking !== undefined) throw new Error(lacking);
  const selfChecks = Number(values['self-checks']);
  const accused = await accusedOf(selfChecks);
  if (selfChecks > 0) say(`like senders: ${accused} of ${selfChecks} runs name a side that begins with more`);
  assert.equal(accused, 0);
  for (const server of values.servers.split(',').filter(Boolean)) {
    const out = join(values.folder ?? temporary, server);
    await measure(server, out);
    const tallies = new Map<string, Tally>();
    for (const record of readRecords(out)) {
      if (record.artifacts['capture'] === undefined) continue;
      const protocol = record.arm.slice(0, 2);
      const tally = tallies.get(protocol) ?? emptyTally();
      tallies.set(protocol, tally);
      if (record.status === 'ok') countIn(tally, flightsOfTrial(out, record, roundTripMs), record.trialId);
      else tally.lost += 1;
    }
    for (const [protocol, { connections, equal, unknown, lost, packets, unlike: lines }] of tallies) {
      say(
        `${server} ${protocol}: equal in ${equal} of ${connections}, ${packets.join(' to ')} packets; not known ${unknown}, trials lost ${lost}`,
      );
      lines.forEach((line) => say(`  ${line}`));
      unlike += lines.length;
      assert.ok(equal > 0, `${server} ${protocol}: nothing was compared`);
      assert.equal(
        unknown,
        0,
        `${server} ${protocol}: of a connection that was captured the link tells no first flight`,
      );
    }
    if (values.folder === undefined) rmSync(out, { recursive: true, force: true });
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
assert.equal(unlike, 0, 'link and tshark differ');
