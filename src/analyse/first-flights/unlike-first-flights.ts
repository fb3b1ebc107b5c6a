import { pairNames } from '../../core/factors/arm-name.ts';
import { maxWindowPackets } from '../../core/factors/sending.ts';
import { differOnlyIn, factorOf } from '../../core/factors/registry.ts';
import { appliersOf } from '../../core/factors/values.ts';
import { shellWord, wordsWithout } from '../../core/model/command-words.ts';
import type { Environment } from '../../core/model/environment.ts';
import { byArm } from '../../core/model/factor.ts';
import { quicPacketBytes, type FirstFlights, type UnlikeFlights } from '../../core/model/first-flights.ts';
import type { Arm, Plan } from '../../core/model/plan.ts';
import { valueDigits } from '../../core/model/rounding.ts';
import type { Summary } from '../../core/model/summary.ts';
import { budgetWords, minutesOf } from '../answers/next-run.ts';
import { armPairs } from '../comparison/arm-pairs.ts';

/** From here on a difference of first flights is told: a fifth. */
const minReported = 1.2;
const bytesPerKb = 1000;

/** One side of a comparison with what its server began with. */
interface Side {
  readonly arm: Arm;
  readonly flights: FirstFlights & { readonly bytes: readonly [number, number] };
}

/**
 * Comparisons whose two sides' servers begin with first flights that differ by more than a fifth, with what tells how much
 * that is. Nothing is said where either is not known, or where the windows may be alike: one that the server changes has a
 * range. Where initial windows alone are what is compared, that is no news.
 */
export function unlikeFirstFlights(
  plan: Plan,
  all: readonly FirstFlights[],
  environment: Environment | null,
  run: Summary['run'],
): UnlikeFlights[] {
  const places = Map.groupBy(all, ({ client, network, server }) => JSON.stringify([client, network, server]));
  const told = armPairs(plan)
    .filter(({ primary, baseline, candidate }) => {
      return primary && !differOnlyIn('initialwindow', baseline.factors, candidate.factors);
    })
    .flatMap(({ baseline, candidate }) =>
      [...places.values()].flatMap((flights) => {
        const one = sideOf(plan, candidate.label, flights);
        const other = sideOf(plan, baseline.label, flights);
        if (one === undefined || other === undefined) return [];
        const [smaller, larger] = bySize(one, other);
        if (!differ(smaller, larger)) return [];
        const sentence = sentenceOf(one, other, environment);
        const arms = { baselineArm: baseline.label, candidateArm: candidate.label };
        return [[sentence, { sentence, ...arms, ...experiment(plan, smaller, larger, run) }] as const];
      }),
    );
  return [...new Map(told).values()];
}

function sideOf(plan: Plan, label: string, flights: readonly FirstFlights[]): Side | undefined {
  const arm = plan.arms.find((one) => one.label === label);
  const found = flights.find((one) => one.arm === label);
  if (arm === undefined || found === undefined || found.bytes === null) return undefined;
  return { arm, flights: { ...found, bytes: found.bytes } };
}

function bySize(one: Side, other: Side): readonly [smaller: Side, larger: Side] {
  return one.flights.bytes[1] < other.flights.bytes[1] ? [one, other] : [other, one];
}

/** Whether the windows differ for certain: of one that is known as a least alone, the largest that was seen of it counts. */
function differ(smaller: Side, larger: Side): boolean {
  const [low, high] = larger.flights.bytes;
  const least = larger.flights.isLeast ? high : low;
  return !smaller.flights.isLeast && least > minReported * smaller.flights.bytes[1];
}

function sentenceOf(one: Side, other: Side, environment: Environment | null): string {
  const { server, proxy } = one.arm.factors;
  const own = server === undefined && proxy === undefined ? serverName(one.flights, environment) : undefined;
  const from = own === undefined ? '' : ` from ${own}`;
  const { baseline, candidate, shared } = pairNames(one.arm, other.arm);
  const under = shared === '' ? '' : `, ${shared}`;
  return `${baseline}${from} begins with ${sizeOf(one)}, ${candidate} with ${sizeOf(other)}${under}`;
}

function sizeOf({ flights: { bytes, isLeast } }: Side): string {
  const [low, high] = bytes.map((size) => valueDigits(Number((size / bytesPerKb).toPrecision(2))));
  if (isLeast) return `at least ${high} kB`;
  return bytes[1] > minReported * bytes[0] ? `${low} to ${high} kB` : `${high} kB`;
}

function serverName({ server }: FirstFlights, environment: Environment | null): string | undefined {
  return server === byArm ? undefined : environment?.servers.find(({ id }) => id === server)?.name;
}

/** The run with a third arm: TCP that begins with as much as QUIC. Null where no arm is TCP's, or no `h2h3 run` made it. */
function experiment(
  { arms }: Plan,
  smaller: Side,
  larger: Side,
  run: Summary['run'],
): Pick<UnlikeFlights, 'command' | 'minutes'> {
  const factor = factorOf('initialwindow');
  const packets = Math.round(larger.flights.bytes[1] / quicPacketBytes);
  const value = String(packets);
  const isOverTcp = appliersOf(factor, { packets }, smaller.arm.factors).includes('link');
  const canHave = isOverTcp && smaller.arm.factors[factor.id] === undefined && packets <= maxWindowPackets;
  const isThere = arms.some(({ factors }) => differOnlyIn(factor.id, factors, smaller.arm.factors));
  if (!canHave || isThere || !/^h2h3 run\b/.test(run.command)) return { command: null, minutes: null };
  const labels = [...arms.map(({ label }) => label), `${smaller.arm.label}+${factor.id}=${value}`];
  const kept = wordsWithout(run.command, ['--arms', '--arm', '--out', '--budget']);
  const minutes = minutesOf(run, arms.length, labels.length);
  const words = [...kept, ...labels.flatMap((label) => ['--arm', shellWord(label)]), ...budgetWords(minutes)];
  return { command: words.join(' '), minutes };
}
