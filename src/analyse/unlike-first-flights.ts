import { armName } from '../factors/arm-name.ts';
import type { Environment } from '../model/environment.ts';
import { byArm } from '../model/factor.ts';
import type { FirstFlight } from '../model/metrics.ts';
import type { Arm, Plan } from '../model/plan.ts';
import { valueDigits } from '../model/rounding.ts';
import { armPairs } from './comparison/arm-pairs.ts';
import type { TrialTable } from './comparison/trial-table.ts';

/** From here on a difference of first flights is told: a fifth. */
const leastTold = 1.2;
const bytesPerKb = 1000;

type KnownFlight = Extract<FirstFlight, { bytes: number }>;

/** The first flights of one side, over the valid trials of an arm. */
interface SideFlights {
  readonly arm: Arm;
  /** What its window takes; the two are equal unless the server changes it by itself. */
  readonly lowBytes: number;
  readonly highBytes: number;
  /** Whether no window ended any of them, so that it is at least as large. */
  readonly isLeast: boolean;
}

/**
 * Comparisons whose two sides' servers begin with first flights that differ by more than a fifth, a sentence without its
 * full stop for each. Nothing is said where either is not known, or where the windows may be alike.
 */
export function unlikeFirstFlights(plan: Plan, table: TrialTable, environment: Environment | null): string[] {
  const places = Map.groupBy(table.conditions, ({ condition: { client, network, server } }) =>
    JSON.stringify([client, network, server]),
  );
  const sentences = armPairs(plan)
    .filter(({ primary }) => primary)
    .flatMap(({ baseline, candidate }) =>
      [...places.values()].flatMap((conditions) => {
        const [one, other] = [candidate, baseline].map(({ label }) =>
          sideOf(
            plan.arms.find((arm) => arm.label === label),
            conditions,
          ),
        );
        if (one === undefined || other === undefined || !differ(one, other)) return [];
        const server = conditions[0]?.condition.server ?? byArm;
        return [sentenceOf(one, other, serverName(server, environment))];
      }),
    );
  return [...new Set(sentences)];
}

function sideOf(arm: Arm | undefined, conditions: TrialTable['conditions']): SideFlights | undefined {
  if (arm === undefined) return undefined;
  const flights = conditions
    .flatMap(({ recordsByArm }) => [...(recordsByArm.get(arm.label)?.values() ?? [])])
    .flatMap(({ status, metrics: { firstFlight } }) =>
      status === 'ok' && firstFlight !== undefined && isKnown(firstFlight) ? [firstFlight] : [],
    );
  const ended = flights.filter(({ isLeast }) => !isLeast);
  if (flights.length === 0) return undefined;
  const isLeast = ended.length === 0;
  return { arm, ...windowOf(isLeast ? flights : ended, isLeast), isLeast };
}

/**
 * Linux counts its window in packets, QUIC in bytes: where either is the same in all trials, the window is, and the largest
 * flight has filled it with whole packets. Of flights that tell the least of it alone, the largest tells most.
 */
function windowOf(
  flights: readonly KnownFlight[],
  isLeast: boolean,
): Pick<SideFlights, 'lowBytes' | 'highBytes'> {
  const sizes = flights.map(({ bytes }) => bytes);
  const packets = flights.map((flight) => flight.packets);
  const highBytes = Math.max(...sizes);
  const isConstant = [sizes, packets].some(
    (values) => Math.max(...values) <= leastTold * Math.min(...values),
  );
  return { lowBytes: isLeast || isConstant ? highBytes : Math.min(...sizes), highBytes };
}

const isKnown = (flight: FirstFlight): flight is KnownFlight => 'bytes' in flight;

/** Whether the windows differ for certain: one that is not known exactly may be larger than what was seen of it. */
function differ(one: SideFlights, other: SideFlights): boolean {
  const [smaller, larger] =
    one.highBytes < other.highBytes ? ([one, other] as const) : ([other, one] as const);
  return !smaller.isLeast && larger.lowBytes > leastTold * smaller.highBytes;
}

function sentenceOf(one: SideFlights, other: SideFlights, server: string | undefined): string {
  const own =
    one.arm.factors.server === undefined && one.arm.factors.proxy === undefined ? server : undefined;
  const from = own === undefined ? '' : ` from ${own}`;
  return `${armName(one.arm)}${from} begins with ${sizeOf(one)}, ${armName(other.arm)} with ${sizeOf(other)}`;
}

function sizeOf({ lowBytes, highBytes, isLeast }: SideFlights): string {
  const kb = (bytes: number): string => valueDigits(Number((bytes / bytesPerKb).toPrecision(2)));
  if (lowBytes < highBytes) return `${kb(lowBytes)} to ${kb(highBytes)} kB`;
  return `${isLeast ? 'at least ' : ''}${kb(highBytes)} kB`;
}

function serverName(id: string, environment: Environment | null): string | undefined {
  return id === byArm ? undefined : environment?.servers.find((server) => server.id === id)?.name;
}
