import { noFlightWords } from '../../core/model/connection-start.ts';
import type { Environment, NetworkDescription } from '../../core/model/environment.ts';
import { liveServer } from '../../core/model/live-address.ts';
import type { FirstFlights } from '../../core/model/first-flights.ts';
import type { FirstFlight } from '../../core/model/metrics.ts';
import type { Arm, Condition, Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import type { TrialTable } from '../comparison/trial-table.ts';

type KnownFlight = Extract<FirstFlight, { bytes: number }>;

/** How the servers of all arms began, in the plan's order; a line for each client, network and server. */
export function firstFlights(
  { arms }: Pick<Plan, 'arms'>,
  { conditions }: Pick<TrialTable, 'conditions'>,
  environment: Environment | null,
): FirstFlights[] {
  const whole = conditions.filter(({ step }) => step === undefined);
  const places = Map.groupBy(whole, ({ condition: { client, network, server } }) =>
    JSON.stringify([client, network, server]),
  );
  return [...places.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return arms.flatMap((arm) => {
      const records = group
        .flatMap(({ recordsByArm }) => [...(recordsByArm.get(arm.label)?.values() ?? [])])
        .filter(({ status }) => status === 'ok');
      return records.length === 0 ? [] : [flightsOf(arm, first.condition, records, environment)];
    });
  });
}

function flightsOf(
  { label }: Arm,
  { client, network, server }: Condition,
  records: readonly TrialRecord[],
  environment: Environment | null,
): FirstFlights {
  const all = records.flatMap(({ metrics: { firstFlight } }) => firstFlight ?? []);
  const known = all.filter(isKnown);
  const place = { client, network, server, arm: label, trials: known.length, ...paceOf(records) };
  const ended = known.filter(({ isLeast }) => !isLeast);
  const telling = (ended.length > 0 ? ended : known).toSorted((a, b) => windowOf(a) - windowOf(b));
  const middle = telling[Math.floor(telling.length / 2)];
  if (middle === undefined) {
    const why = unknownReason(all, { network, server }, environment);
    return { ...place, packets: null, bytes: null, isLeast: false, roundPackets: [], why };
  }
  return {
    ...place,
    packets: rangeOf(telling.map(({ packets }) => packets)),
    bytes: rangeOf(telling.map(windowOf)),
    isLeast: ended.length === 0,
    roundPackets: middle.roundPackets,
  };
}

/** How packets came from the server, and how many the client answered them with. */
function paceOf(records: readonly TrialRecord[]): Pick<FirstFlights, 'largestBurstBytes' | 'acksPerPacket'> {
  return Object.fromEntries(
    (['largestBurstBytes', 'acksPerPacket'] as const).flatMap((name) => {
      const values = records.flatMap(({ metrics }) => {
        const value = metrics[name];
        return typeof value === 'number' ? [value] : [];
      });
      return values.length === 0 ? [] : [[name, rangeOf(values)]];
    }),
  );
}

const isKnown = (flight: FirstFlight): flight is KnownFlight => 'bytes' in flight;

/** Linux counts TCP's window in packets, however small some are; QUIC counts its own in bytes. */
function windowOf({ transport, packets, bytes, largestPacketBytes }: KnownFlight): number {
  return transport === 'tcp' ? packets * largestPacketBytes : bytes;
}

function rangeOf(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

function unknownReason(
  flights: readonly FirstFlight[],
  { network, server }: Pick<Condition, 'network' | 'server'>,
  environment: Environment | null,
): string {
  const [reason] = flights.flatMap((flight) => ('reason' in flight ? [flight.reason] : []));
  if (reason !== undefined) return noFlightWords[reason];
  if (server === liveServer) return 'the server stands beyond the link';
  const backend = environment?.networks.find(({ id }) => id === network)?.backend;
  return backend === undefined ? 'the network was not recorded' : unseenWords[backend];
}

/** Why nothing is known of a first flight over each kind of path; where acknowledgements come at once, no capture tells it either. */
const unseenWords: Readonly<Record<NetworkDescription['backend'], string>> = {
  none: 'without a network an acknowledgement is back before a window ends the flight',
  link: 'the link has no delay, so an acknowledgement is back before a window ends the flight',
  real: 'nothing watches packets on the link between two machines',
  netem: 'netem does not tell when packets come and leave, as the emulator does',
  emulator: 'the link saw no connection to the server',
  proxy: 'a proxy sees no packets',
};
