import {
  networkSpecSchema,
  type NetworkSpec,
  type NetworkSpecInput,
} from '../../src/core/model/network-spec.ts';

/** The profiles of Mozilla's bench, by its names: Mbit/s each way, and the round trip, ms. */
const profiles = [
  { rateMbps: 1, rttMs: 400 },
  { rateMbps: 10, rttMs: 40 },
  { rateMbps: 100, rttMs: 40 },
  { rateMbps: 300, rttMs: 40 },
  { rateMbps: 300, rttMs: 80 },
] as const;

/** A queue of as many packets as one bandwidth-delay product has bytes; no more than the emulator holds. */
const maxPackets = 60_000;

/**
 * What the bench's own link differs in from what its profile names. `packets`: it hands the bytes of a bandwidth-delay product
 * to `netem limit`, which counts packets, so that the queue is never full. `one-class`: one class of HTB on `lo` carries both
 * directions, which share its rate and its queue. `as-run`: both.
 */
const variants = ['named', 'packets', 'one-class', 'as-run'] as const;
type Variant = (typeof variants)[number];

const bench =
  'testing/raptor/browsertime/support-scripts/network_bench.py of Firefox, network_type_to_bandwidth_rtt and apply_network_throttling';

const about: Readonly<Record<Variant, { readonly title: string; readonly source: string }>> = {
  named: {
    title: '',
    source: `${bench}: rate and round trip of the profile, each direction by itself; a queue of one bandwidth-delay product`,
  },
  packets: {
    title: ', its queue counted in packets',
    source: `${bench}: the bytes of the bandwidth-delay product are netem’s limit, which counts packets (60 000 at the most here)`,
  },
  'one-class': {
    title: ', both directions in one class',
    source: `${bench}: the same class of HTB for what goes to the server’s port and what comes from it`,
  },
  'as-run': {
    title: ' as the bench runs it',
    source: `${bench}: the queue counted in packets, and both directions in one class; without the 64 KB packets of lo`,
  },
};

function benchNetwork({ rateMbps, rttMs }: (typeof profiles)[number], variant: Variant): NetworkSpecInput {
  const bandwidthDelayBytes = (rateMbps * 1e6 * rttMs) / 8000;
  const queue =
    variant === 'packets' || variant === 'as-run'
      ? { queuePackets: Math.min(maxPackets, bandwidthDelayBytes) }
      : { queueBytes: bandwidthDelayBytes };
  const way = { rateMbps, delayMs: rttMs / 2, ...queue };
  const { title, source } = about[variant];
  const name = `mozilla-${rateMbps}m-${rttMs}ms`;
  return {
    id: variant === 'named' ? name : `${name}-${variant}`,
    title: `Mozilla’s bench, ${rateMbps} Mbit/s, ${rttMs} ms round trip${title}`,
    source,
    ...(variant === 'one-class' || variant === 'as-run' ? { duplex: 'half' } : {}),
    up: way,
    down: way,
  };
}

/** The five profiles of Mozilla's bench of the network, each as it is named and as its link is. */
export const mozillaNetworks: readonly NetworkSpec[] = profiles.flatMap((profile) =>
  variants.map((variant) => networkSpecSchema.parse(benchNetwork(profile, variant))),
);
