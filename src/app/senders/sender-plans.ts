import { commandClientNamed } from '../../../harness/clients/commands/registry.ts';
import { serverNamed } from '../../../harness/servers/registry.ts';
import { senderProperties } from '../../analyse/senders/properties.ts';
import {
  disturbances,
  disturbingFactors,
  networkOf,
  senderNetwork,
  senderPath,
  type Disturbance,
} from '../../analyse/senders/sender-path.ts';
import { withLinkFactors } from '../../core/factors/link-factors.ts';
import { valuesFor } from '../../core/factors/values.ts';
import type { LiveOptions } from '../../core/model/live-address.ts';
import { networkSpecSchema } from '../../core/model/network-spec.ts';
import type { PlanFileInput } from '../../plan/plan-file.ts';

/** The runs by which senders are measured, in their order: what tells most in little time comes first. */
export const senderRunNames = [
  'outage',
  'lossy',
  'disturbed',
  'shared',
  'reordered',
  'losses',
  'chosen',
  'short',
  'marked',
  'uploads',
  'rested',
  'unread',
  'live',
] as const;
export type SenderRun = (typeof senderRunNames)[number];

interface RunOfSenders {
  readonly title: string;
  /** No longer than what is read in it takes: transfers are most of the time. */
  readonly workload: string;
  readonly disturbances: readonly Disturbance[];
}

const {
  lossPercent,
  lessLossPercent,
  moreLossPercent,
  reorderPercent,
  moreReorderPercent,
  restSeconds,
  unread,
} = senderPath;

const runs: Readonly<Record<SenderRun, RunOfSenders>> = {
  disturbed: {
    title: 'Senders in a burst of loss',
    workload: 'download-8mb',
    disturbances: ['burst'],
  },
  outage: {
    title: 'Senders without a link for a time',
    workload: 'download-2500kb',
    disturbances: ['outage'],
  },
  lossy: { title: `Senders at ${lossPercent} % loss`, workload: 'download-1mb', disturbances: ['loss'] },
  shared: { title: 'Senders next to others', workload: 'download-8mb', disturbances: ['cubic', 'bbr'] },
  reordered: {
    title: `Senders with ${reorderPercent} and ${moreReorderPercent} % reordered`,
    workload: 'download-8mb',
    disturbances: ['reordering', 'more-reordering'],
  },
  losses: {
    title: `Senders at ${lessLossPercent} and ${moreLossPercent} % loss`,
    workload: 'download-2500kb',
    disturbances: ['less-loss', 'more-loss'],
  },
  chosen: {
    title: 'Senders that lose one packet, and three in a row',
    workload: 'download-6mb',
    disturbances: ['one-lost', 'three-lost'],
  },
  short: {
    title: 'Handshakes and ends of answers with a loss, and a long certificate',
    workload: 'download-100kb',
    disturbances: ['tail-lost', 'first-lost', 'second-lost', 'third-lost', 'certificate'],
  },
  marked: {
    title: 'Senders in a queue that marks instead of dropping',
    workload: 'download-8mb',
    disturbances: ['marks'],
  },
  uploads: {
    title: 'Uploads, of which servers acknowledge',
    workload: 'upload-5mb',
    disturbances: ['upload'],
  },
  rested: {
    title: `Senders after ${restSeconds} s of rest`,
    workload: `download-300kb-rest${restSeconds}s`,
    disturbances: ['rest'],
  },
  unread: {
    title: 'Senders next to an answer that is not read',
    workload: `download-1mb-unread${unread.megabytes}mb`,
    disturbances: ['unread'],
  },
  live: {
    title: 'The sender of a live address',
    workload: '',
    // Rates are told of downloads alone, and the others need a server of ours.
    disturbances: ['burst', 'outage', 'one-lost', 'three-lost', 'first-lost', 'second-lost', 'third-lost'],
  },
};

/** What happens on the path in one of the runs, for all that it can tell. */
export const disturbancesOf = (run: SenderRun): readonly Disturbance[] => runs[run].disturbances;

/** What tells most in a few minutes. */
const usual: readonly Disturbance[] = ['burst', 'outage', 'loss'];

const usualLive: readonly Disturbance[] = ['burst', 'outage'];

type Wanted = Pick<SenderRequest, 'all' | 'properties' | 'live' | 'client'>;

/** What has to happen on the path, for what is asked: of a property that several tell, the first. */
function wantedDisturbances({ all, properties, live }: Wanted): readonly Disturbance[] {
  if (properties === undefined) return all ? disturbances : live === undefined ? usual : usualLive;
  const asked = senderProperties.filter(({ id }) => properties.includes(id));
  return disturbances.filter((name) => asked.some(({ readIn: [first] }) => first === name));
}

/** Programs read what is measured alone: they do not rest, and leave nothing unread. */
const ofBrowsers: readonly SenderRun[] = ['rested', 'unread'];

const isOwnRun = (run: SenderRun, { client }: Wanted): boolean =>
  run !== 'live' && !(ofBrowsers.includes(run) && commandClientNamed(client) !== undefined);

/** The runs that tell what is asked. */
export function senderRuns(request: Wanted): readonly SenderRun[] {
  const wanted = wantedDisturbances(request);
  const own =
    request.live === undefined ? senderRunNames.filter((run) => isOwnRun(run, request)) : (['live'] as const);
  return own.filter((run) => runs[run].disturbances.some((name) => wanted.includes(name)));
}

const sourceOfPath = 'chosen so that one bandwidth-delay product waits in the queue';

export interface SenderRequest {
  /** As the factor names them, such as `nginx@1.30`. */
  readonly servers: readonly string[];
  readonly client: string;
  readonly repeats: number;
  /** Whether everything is measured, and not what tells most in a few minutes alone. */
  readonly all: boolean;
  /** Ids of those that are measured alone. Default: as `all` says. */
  readonly properties?: readonly string[] | undefined;
  /** An address of which the sender is measured in place of servers of ours. */
  readonly live?: LiveSender | undefined;
}

/** An address, and how it is reached. */
export interface LiveSender {
  readonly url: string;
  readonly options: LiveOptions;
}

/** Over QUIC some servers send nothing that a queue could mark. */
function protocolsOf(disturbance: Disturbance, server: string): readonly ('h2' | 'h3')[] {
  const isUnmarked = disturbance === 'marks' && serverNamed(server)?.ecnOverQuic !== 'unless-off';
  return isUnmarked ? ['h2'] : ['h2', 'h3'];
}

/** The plan of one of the runs: every server over both protocols in each block. */
export function senderPlan(run: SenderRun, request: SenderRequest): PlanFileInput {
  const { servers, client, repeats } = request;
  const { title, workload, disturbances: all } = runs[run];
  const wanted = wantedDisturbances(request);
  if (request.live !== undefined) return livePlan(request, request.live, wanted);
  return {
    name: `senders-${run}`,
    title,
    workloads: [workload],
    clients: [client],
    networks: [senderNetwork],
    customNetworks: { [senderNetwork]: pathOf(run) },
    arms: servers.flatMap((server) =>
      all
        .filter((name) => wanted.includes(name))
        .flatMap((disturbance) =>
          protocolsOf(disturbance, server).map((protocol) => ({
            protocol,
            server,
            ...disturbingFactors[disturbance],
          })),
        ),
    ),
    repetitions: repeats,
    ...startOf(run, request),
    ...rules,
  };
}

/** Nothing of it is a comparison that decides: the fingerprint is. */
const rules = { recordedBlocks: 0, exploratory: true, allowCongestionMismatch: true } as const;

/** The first run of a measurement has loaded programs and files, and checked the path with TCP too. */
const startOf = (run: SenderRun, request: SenderRequest): { readonly quickStart?: true } =>
  senderRuns(request)[0] === run ? {} : { quickStart: true };

type CustomNetwork = NonNullable<PlanFileInput['customNetworks']>[string];

/** The path by itself, with loss, or as fast as an answer needs that fills what its client takes unread. */
function pathOf(run: SenderRun): CustomNetwork {
  const { roundTripMs } = senderPath;
  const { rateMbps, queueBytes } = run === 'unread' ? unread : senderPath;
  const direction = { rateMbps, queueBytes, delayMs: roundTripMs / 2 };
  return {
    title: `${rateMbps} Mbit/s, ${roundTripMs} ms`,
    source: sourceOfPath,
    up: direction,
    down: { ...direction, lossPercent: run === 'lossy' ? lossPercent : 0 },
  };
}

/** The same address over both protocols, on a network for each of what is to happen. */
function livePlan(
  { client, repeats }: SenderRequest,
  { url, options }: LiveSender,
  wanted: readonly Disturbance[],
): PlanFileInput {
  const { title, disturbances: all } = runs.live;
  const met = all.filter((name) => wanted.includes(name));
  return {
    name: 'senders-live',
    title,
    urls: [url],
    live: options,
    clients: [client],
    networks: [networkOf(met[0] ?? 'burst')],
    customNetworks: Object.fromEntries(met.map((name) => [networkOf(name), networkWith(name)])),
    arms: met.flatMap((name) =>
      (['h2', 'h3'] as const).map((protocol) => ({ protocol, network: networkOf(name) })),
    ),
    repetitions: repeats,
    ...rules,
  };
}

function networkWith(disturbance: Disturbance): CustomNetwork {
  const path = networkSpecSchema.parse({ id: networkOf(disturbance), ...pathOf('live') });
  const { title, source, up, down } = withLinkFactors(
    path,
    valuesFor(['link'], disturbingFactors[disturbance]),
  );
  return { title, source, up, down };
}
