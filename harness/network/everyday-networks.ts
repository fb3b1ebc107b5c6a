import {
  networkSpecSchema,
  type NetworkSpec,
  type NetworkSpecInput,
  type TraceGenerator,
} from '../../src/core/model/network-spec.ts';

/** What a mobile network has besides the rates of its trace. */
interface MobileClass {
  readonly rttMs: number;
  /** Of the downlink's rates. */
  readonly uplinkShare: number;
  readonly queueBytes: number;
}

/**
 * The classes of mobile networks that Lumos5G measured (Narayanan et al., IMC 2020), by the name of the generator of their
 * traces. Round trip: medians of its Speedtests; uplink and queue are assumed.
 */
const mobileClasses: Readonly<Record<TraceGenerator, MobileClass>> = {
  '4g-walking': { rttMs: 89, uplinkShare: 0.3, queueBytes: 1_500_000 },
  '4g-driving': { rttMs: 89, uplinkShare: 0.3, queueBytes: 1_500_000 },
  '5g-walking': { rttMs: 7, uplinkShare: 0.1, queueBytes: 3_000_000 },
  '5g-driving': { rttMs: 7, uplinkShare: 0.1, queueBytes: 3_000_000 },
};

/**
 * What two CPUs carry with browser, server and emulator on them: above it Chromium's HTTP/3 does not read its socket
 * fast enough while it plays video, and datagrams are lost that the path did not drop. Measured peaks of 5G lie above it,
 * those of 4G below. The same on every machine, so that results can be compared.
 */
const capMbps = 250;
const lumos =
  'Lumos5G (Narayanan et al., IMC 2020): generated with the statistics of its measured traces (no measured value is used); round trip: its Speedtest medians';

/** Nguyen et al. (All Things Cellular 2014) find losses at changes of cells, which `cellular-handover` and `train` have. */
const lostPackets =
  'loss: only what finds the queue full, assumed, as the radio link sends again what it lost (3GPP TS 36.321 and 36.322)';

/** @param rateShare of the measured rates that this user gets */
function mobile(id: string, title: string, generator: TraceGenerator, rateShare = 1): NetworkSpecInput {
  const { rttMs, uplinkShare, queueBytes } = mobileClasses[generator];
  const trace = {
    format: 'generated',
    generator,
    seed: 1,
    durationSeconds: 3600,
    capMbps,
    scale: rateShare,
  } as const;
  const about = `${title}, ${rttMs} ms round trip`;
  // One way, so that both make the round trip.
  const delayMs = rttMs / 2;
  return {
    id,
    title: generator.startsWith('5g') ? `${about}, rates capped at ${capMbps} Mbit/s` : about,
    source: `${lumos}${rateShare === 1 ? '' : `; of its rates a share of ${rateShare}, assumed`}; uplink assumed at ${uplinkShare} of the downlink; queue assumed; ${lostPackets}`,
    up: { trace: { ...trace, seed: 2, scale: rateShare * uplinkShare }, queueBytes, delayMs },
    down: { trace, queueBytes, delayMs },
  };
}

const fixed: readonly NetworkSpecInput[] = [
  {
    id: 'ethernet-1g',
    title: '1 Gbit/s Ethernet between two machines side by side, nothing impaired',
    source:
      'Zhang et al., QUIC is not Quick Enough over Fast Internet (2024), section 3; 975 Mbit/s is what 1 Gbit/s Ethernet carries in IP packets of 1500 bytes (1538 on the wire); queue assumed (1000 packets, the default of Linux)',
    offloads: true,
    up: { rateMbps: 975, queueBytes: 1_500_000 },
    down: { rateMbps: 975, queueBytes: 1_500_000 },
  },
  {
    id: 'fiber-300',
    title: 'Fibre to the home, 300 Mbit/s each way, 12 ms round trip',
    source:
      'a usual symmetric tier; round trip in the range of fibre in the FCC reports Measuring Broadband America; queue assumed (27 ms)',
    up: { rateMbps: 300, queueBytes: 1_000_000, delayMs: 6 },
    down: { rateMbps: 300, queueBytes: 1_000_000, delayMs: 6 },
  },
  {
    // 100/20 Mbit/s: what the FCC has called broadband since its report on advanced telecommunications of March 2024.
    id: 'cable',
    title: 'Cable, 100 Mbit/s down, 20 Mbit/s up, 20 ms round trip',
    source:
      'rates: the benchmark of fixed broadband of the FCC since 2024 (100/20 Mbit/s); round trip and queues assumed (20 ms; down 50 ms, up 100 ms of the rate)',
    up: { rateMbps: 20, queueBytes: 250_000, delayMs: 10 },
    down: { rateMbps: 100, queueBytes: 625_000, delayMs: 10 },
  },
  {
    // 25/3 Mbit/s: the same benchmark from 2015 to 2024, which lines of copper still offer.
    id: 'dsl',
    title: 'DSL, 25 Mbit/s down, 3 Mbit/s up, 35 ms round trip',
    source:
      'rates: the benchmark of fixed broadband of the FCC from 2015 to 2024 (25/3 Mbit/s); round trip and queues assumed (35 ms; 100 ms of the rate)',
    up: { rateMbps: 3, queueBytes: 37_500, delayMs: 17.5 },
    down: { rateMbps: 25, queueBytes: 312_500, delayMs: 17.5 },
  },
  {
    id: 'cable-2015',
    title: 'Cable as of 2015, 5 Mbit/s down, 1 Mbit/s up, 28 ms round trip',
    source: 'the profile Cable of WebPageTest; queue assumed (256 KB, a usual buffer of cable modems)',
    up: { rateMbps: 1, queueBytes: 64_000, delayMs: 14 },
    down: { rateMbps: 5, queueBytes: 256_000, delayMs: 14 },
  },
  {
    id: 'dsl-2015',
    title: 'DSL as of 2015, 1.5 Mbit/s down, 384 kbit/s up, 50 ms round trip',
    source: 'the profile DSL of WebPageTest; queue assumed (100 packets down, 32 up)',
    up: { rateMbps: 0.384, queueBytes: 48_000, delayMs: 25 },
    down: { rateMbps: 1.5, queueBytes: 150_000, delayMs: 25 },
  },
  {
    id: 'satellite',
    title: 'Geostationary satellite, 25 Mbit/s down, 3 Mbit/s up, 600 ms round trip',
    source:
      'the tier of 25/3 Mbit/s that such providers sell; round trip in the range of satellites in the FCC reports Measuring Broadband America (four times 35 786 km alone take 477 ms); queue assumed (one bandwidth-delay product)',
    up: { rateMbps: 3, queueBytes: 225_000, delayMs: 300 },
    down: { rateMbps: 25, queueBytes: 1_875_000, delayMs: 300 },
  },
];

const mobiles: readonly NetworkSpecInput[] = [
  mobile('4g', '4G while walking', '4g-walking'),
  mobile('4g-crowded', '4G in a crowded cell', '4g-walking', 0.25),
  mobile('4g-driving', '4G while driving', '4g-driving'),
  mobile('5g', '5G mmWave while walking', '5g-walking'),
  mobile('5g-driving', '5G mmWave while driving', '5g-driving'),
];

export const everydayNetworks: readonly NetworkSpec[] = [...fixed, ...mobiles].map((input) =>
  networkSpecSchema.parse(input),
);
