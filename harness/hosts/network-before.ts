import { z } from 'zod';
import type { NetworkDescription, RealLink } from '../../src/core/model/environment.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { isScheduled, pathFactsOf, type NetworkSpec } from '../../src/core/model/network-spec.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';
import { runProgram, tailOf } from '../../src/core/system/run-program.ts';
import { slowStartNotes } from '../network/end-settings.ts';
import { highestRates } from '../network/highest-rates.ts';
import type {
  LinkSettings,
  NetworkProvider,
  NetworkStartOptions,
  RunningNetwork,
} from '../network/network.ts';
import type { PathCheck } from '../network/path-checks.ts';
import { findPrivilege } from '../network/privilege.ts';
import { remeasure } from '../network/remeasure.ts';
import { ends } from '../network/shaped-network.ts';
import { uplinkLack } from '../network/uplink.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { smallIpBytes } from './datagrams.ts';
import { datagramNotes, linkWords } from './far-link.ts';
import type { ListenOptions } from './link-listener.ts';

/** What can be known of a network before anything is started. */
export type NetworkAbilities = Omit<NetworkProvider, 'start'>;

/** The link that an emulated network leads on to. */
export interface LinkBehind {
  /** Of the machine at its end, and what that is called. */
  readonly address: string;
  readonly machine: string;
  /** What it carries by itself, measured again where that was not enough and can be. */
  readonly figures: (isEnough?: (figures: RealLink) => boolean) => Promise<RealLink>;
  /** Does something while its end answers packets. @throws what `work` throws */
  readonly answered: <Result>(work: (options: ListenOptions) => Promise<Result>) => Promise<Result>;
}

/** The far end of this way is a machine of which nothing is set; its addresses are of IPv4 whatever is asked for. */
const isSetAtEnds = (settings: LinkSettings): boolean =>
  ends.applies.some((name) => name !== 'family' && settings[name] !== undefined);

/** What of a network can be had where it leads on to another machine. */
export function abilitiesBefore(provider: NetworkProvider, setup: SetupContext): NetworkAbilities {
  const { id, title, unsupportedReason } = provider;
  return {
    id,
    title,
    // Without ends of its own it leads nowhere.
    ...(unsupportedReason === undefined
      ? {}
      : {
          unsupportedReason: (settings) =>
            isSetAtEnds(settings)
              ? 'the server is on another machine, of which no setting is changed'
              : unsupportedReason(settings),
        }),
    require: async (use) => {
      const lack = await uplinkLack(await findPrivilege(setup), setup);
      if (lack !== null)
        throw new H2h3Error('unsupported', `it cannot lead on to another machine: ${lack.why}`, {
          next: lack.next,
        });
      await provider.require?.(use);
    },
  };
}

/**
 * An emulated network on the client's machine, with the real link behind it. Its check goes over both, and the real link must carry
 * more than the network does.
 */
export function networkBefore(
  provider: NetworkProvider,
  setup: SetupContext,
  link: LinkBehind,
): NetworkProvider {
  return {
    ...abilitiesBefore(provider, setup),
    start: async (options) => {
      const { address } = link;
      // It is measured by itself: the network would be in the way.
      await link.figures();
      const network = await provider.start({ ...options, outside: { machine: address } });
      try {
        const { behind, checks } = await checkedBehind(network, link, options);
        return {
          ...network,
          serverAddress: address,
          description: withLink(network.description, behind, checks),
        };
      } catch (thrown) {
        await network.stop();
        throw thrown;
      }
    },
  };
}

interface Behind {
  readonly behind: RealLink;
  readonly checks: readonly PathCheck[];
}

async function checkedBehind(
  network: RunningNetwork,
  link: LinkBehind,
  { check = 'required', environment }: NetworkStartOptions,
): Promise<Behind> {
  const { spec } = network.description;
  if (spec === undefined) throw new H2h3Error('internal', 'an emulated network without figures');
  const most = await highestRates(spec);
  const isEnough = (figures: RealLink): boolean => carries(figures, most);
  const behind = await link.figures(isEnough);
  if (!isEnough(behind)) throw tooSlow(spec, behind, most, link.machine);
  if (check === 'left-out') return { behind, checks: [] };
  const echoes = (): Promise<PathCheck[]> => echoChecks(network, { spec, behind, link, environment });
  const measured = check === 'required' ? await remeasure(spec.id, echoes) : await echoes();
  return { behind, checks: [...rateChecks(behind, most), ...measured] };
}

type Rates = Awaited<ReturnType<typeof highestRates>>;

const carries = ({ upMbps, downMbps }: RealLink, { up, down }: Rates): boolean =>
  upMbps >= (up ?? 0) && downMbps >= (down ?? 0);

function tooSlow({ id }: NetworkSpec, behind: RealLink, { up, down }: Rates, host: string): H2h3Error {
  const words = (rate: number | null): string => (rate === null ? 'any rate' : `${rate} Mbit/s`);
  return new H2h3Error('unsupported', `the link to ${host} is slower than the network ${id} before it`, {
    context: { expected: `${words(down)} down, ${words(up)} up`, got: linkWords(behind) },
    next: 'Choose a slower network, or use a faster link.',
  });
}

/** What the link carries by itself: more than the network does at any time. */
function rateChecks({ upMbps, downMbps }: RealLink, { up, down }: Rates): PathCheck[] {
  const ofWay = (direction: 'up' | 'down', measured: number, expected: number | null): PathCheck => ({
    direction,
    kind: 'rate-behind',
    quantity: 'rate of the link behind it, TCP, at least',
    unit: 'Mbit/s',
    expected,
    measured,
    tolerance: null,
    ok: true,
  });
  return [ofWay('up', upMbps, up), ofWay('down', downMbps, down)];
}

const echoLimitMs = 120_000;
const echoSchema = z.object({ tcpRoundTripMs: z.number(), udpRoundTripMs: z.number() });
/** Node answers at either end: between packets it sleeps, and takes longer to wake than the small programs of the other checks. */
const minToleranceMs = 1;
const toleranceShare = 0.02;

interface EchoOptions {
  readonly spec: NetworkSpec;
  readonly behind: RealLink;
  readonly link: LinkBehind;
  readonly environment: Readonly<Record<string, string>>;
}

/** Round trips from the client to the far machine and back, across both. */
async function echoChecks(network: RunningNetwork, options: EchoOptions): Promise<PathCheck[]> {
  const { spec, behind, link, environment } = options;
  const measured = await link.answered(async ({ address, port, token }) => {
    const script = moduleFile('./measure-echoes.ts', import.meta.url);
    const words = [...network.clientPrefix, process.execPath, script, address, String(port), token];
    const [program = '', ...args] = words;
    const result = await runProgram(program, args, {
      timeoutMs: echoLimitMs,
      environment: { ...process.env, ...environment },
    });
    if (result.exitCode === 0) return echoSchema.parse(JSON.parse(result.stdout));
    throw new H2h3Error('unsupported', `across the network ${spec.id}, ${tailOf(result.stderr, 1)}`, {
      next: 'Look for a firewall that lets nothing be forwarded on this machine.',
      context: { stderrTail: tailOf(result.stderr) },
    });
  });
  const varies = [spec.up, spec.down].some(
    (direction) => isScheduled(direction) || direction.trace !== undefined,
  );
  const emulatedMs = varies ? null : emulatedRoundTripMs(spec);
  const jitterMs = spec.up.jitterMs + spec.down.jitterMs;
  const ofOne = (over: string, measuredMs: number, behindMs: number): PathCheck => {
    const expected = emulatedMs === null ? null : emulatedMs + behindMs;
    // What a link does by itself it may do once more.
    const tolerance =
      expected === null ? null : Math.max(minToleranceMs, toleranceShare * expected) + behindMs + jitterMs;
    return {
      direction: 'up',
      kind: 'round-trip-time-behind',
      quantity: `round-trip time with the link behind it, ${over}`,
      unit: 'ms',
      expected,
      measured: measuredMs,
      tolerance,
      ok: expected === null || tolerance === null || Math.abs(measuredMs - expected) <= tolerance,
    };
  };
  return [
    ofOne('TCP', measured.tcpRoundTripMs, behind.roundTripMs),
    ofOne('UDP', measured.udpRoundTripMs, behind.udp?.roundTripMs ?? behind.roundTripMs),
  ];
}

function emulatedRoundTripMs(spec: NetworkSpec): number {
  const bits = smallIpBytes * 8;
  const onWayMs = ({ rateMbps }: NetworkSpec['up']): number =>
    rateMbps === null ? 0 : bits / 1000 / rateMbps;
  return pathFactsOf(spec).roundTripMs + onWayMs(spec.up) + onWayMs(spec.down);
}

/** What both are together; what TCP of the server's end is set to, is the other machine's. */
function withLink(
  { tcpBufferBytes, slowStartAfterIdle, ...network }: NetworkDescription,
  behind: RealLink,
  checks: readonly PathCheck[],
): NetworkDescription {
  const afterIdle = slowStartAfterIdle === undefined ? {} : { slowStartAfterIdle };
  const ofBoth = slowStartNotes(afterIdle);
  const ofClient = [
    ...(tcpBufferBytes === undefined ? [] : [`TCP’s buffers at the client: up to ${tcpBufferBytes} bytes`]),
    ...slowStartNotes(afterIdle, ' at the client'),
  ];
  return {
    ...network,
    description: `${network.description}. Behind it the link between two machines`,
    checks: [...network.checks, ...checks],
    realLink: behind,
    notes: [
      ...(network.notes ?? []).filter((note) => !ofBoth.includes(note)),
      ...ofClient,
      `the link behind it by itself: ${linkWords(behind)}`,
      ...datagramNotes(behind),
    ],
  };
}
