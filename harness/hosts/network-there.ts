import { H2h3Error } from '../../src/core/model/errors.ts';
import type { NetworkSpec } from '../../src/core/model/network-spec.ts';
import type { NetworkProvider, NetworkStartOptions, RunningNetwork } from '../network/network.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { LinkFromClient } from './client-link.ts';
import type { Answered, Asked } from './far-protocol.ts';
import { foreignText } from './foreign-text.ts';
import { abilitiesBefore } from './network-before.ts';
import { asSent } from './sent-settings.ts';

const gigabyte = 1e9;

/** An emulated network on the clients' machine, with the real link to the servers behind it. @param custom networks that the plan defines */
export function networkThere(
  provider: NetworkProvider,
  custom: readonly NetworkSpec[],
  link: LinkFromClient,
  setup: SetupContext,
): NetworkProvider {
  return {
    ...abilitiesBefore(provider, setup),
    start: async (options) => {
      const figures = await link.figures();
      const { place } = link;
      const { answered } = await link.answered((there) =>
        place.host.ask('startNetwork', {
          ...askedOf(options),
          name: provider.id,
          custom: [...custom],
          behind: { ...there, figures, machine: 'the machine of the server' },
        }),
      );
      return running(answered, place);
    },
  };
}

type AskedOptions = Omit<Asked<'startNetwork'>, 'name' | 'custom' | 'behind'>;

function askedOf({
  hosts,
  tcpCongestionControl,
  settings,
  joinsMarked = false,
  checkDepth = 'full',
}: NetworkStartOptions): AskedOptions {
  return {
    hosts: [...hosts],
    tcpCongestionControl,
    ...(settings === undefined ? {} : { settings: asSent(settings) }),
    joinsMarked,
    checkDepth,
  };
}

function running(
  { network, description, tells, transferMs }: Answered<'startNetwork'>,
  { host, address }: LinkFromClient['place'],
): RunningNetwork {
  const { session } = host;
  const isReached = (): boolean => host.session === session && host.lost() === undefined;
  let asked: Promise<Answered<'networkCounts'>> | undefined;
  /** What is asked for at once is one question. */
  const counts = (): Promise<Answered<'networkCounts'>> =>
    (asked ??= host
      .ask('networkCounts', { network })
      .then(({ answered }) => answered)
      .finally(() => (asked = undefined)));
  const [noneMs, gigabyteMs] = transferMs;
  return {
    description: {
      ...description,
      description: foreignText(description.description),
      ...(description.notes === undefined ? {} : { notes: description.notes.map(foreignText) }),
    },
    serverAddress: address,
    farAddress: address,
    // Its words are that machine's, and are used there alone.
    clientPrefix: [],
    serverPrefix: [],
    elsewhere: { network, isLost: () => !isReached(), host: host.host },
    startSignal: () => null,
    counters: async () => (await counts()).counters,
    flows: async () => (await counts()).flows,
    ...(tells.starts ? { connectionStarts: async () => required((await counts()).starts) } : {}),
    ...(tells.queue ? { queue: async () => required((await counts()).queue) } : {}),
    ...(tells.course ? { course: async () => required((await counts()).course) } : {}),
    transferTimeoutMs: (bytes) => noneMs + ((gigabyteMs - noneMs) * bytes) / gigabyte,
    stop: async () => {
      if (isReached()) await host.ask('stopNetwork', { network });
    },
  };
}

/** @throws H2h3Error `bad-input` where the other machine tells less than it said */
function required<Told>(told: Told | undefined): Told {
  if (told === undefined) throw new H2h3Error('bad-input', 'a network over there tells less than it said');
  return told;
}
