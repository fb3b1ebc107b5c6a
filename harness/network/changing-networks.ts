import {
  networkSpecSchema,
  type NetworkSpec,
  type NetworkSpecInput,
} from '../../src/core/model/network-spec.ts';

type Item = NonNullable<NetworkSpecInput['down']['schedule']>[number];

/** The same items again and again. */
const every = (everyMs: number, items: readonly Omit<Item, 'everyMs'>[]): Item[] =>
  items.map((item) => ({ ...item, everyMs }));

/** One way, of each interval of 15 s; round trips from 40 to 60 ms, 50 in the middle. */
const starlinkDelaysMs = [22, 27, 20, 30, 24, 26, 23, 28];
const starlinkDownMbps = [150, 200, 120, 100, 180, 140, 160, 110];
const starlinkUpMbps = [15, 20, 12, 10, 18, 14, 16, 11];
const intervalMs = 15_000;
const satelliteChange = { forMs: 100, lossPercent: 20 };

/** Each interval begins with a change of the satellite, in which packets are lost. */
function starlinkSchedule(ratesMbps: readonly number[]): Item[] {
  return every(
    intervalMs * starlinkDelaysMs.length,
    starlinkDelaysMs.flatMap((delayMs, interval) => {
      const figures = { delayMs, rateMbps: ratesMbps[interval] };
      const atMs = interval * intervalMs;
      return [
        { atMs, ...satelliteChange, ...figures },
        { atMs: atMs + satelliteChange.forMs, ...figures },
      ];
    }),
  );
}

/** A tunnel of 500 m at 300 km/h. */
const tunnelMs = 6000;
const train = every(45_000, [
  { atMs: 12_000, forMs: 300, outage: true },
  { atMs: 30_000, forMs: tunnelMs, outage: true },
  { atMs: 30_000 + tunnelMs, forMs: 2000, lossPercent: 3 },
]);

/** The signal fades, the station changes to another access point, and all is well. */
const roaming = (fadedMbps: number): Item[] =>
  every(30_000, [
    { atMs: 10_000, forMs: 3000, rateMbps: fadedMbps, delayMs: 20, lossPercent: 2 },
    { atMs: 13_000, forMs: 300, outage: true },
  ]);

/** The doors close, the signal is gone for the way, and comes back. */
const lift = (fadedMbps: number): Item[] =>
  every(60_000, [
    { atMs: 10_000, forMs: 3000, rateMbps: fadedMbps, lossPercent: 4 },
    { atMs: 13_000, forMs: 12_000, outage: true },
    { atMs: 25_000, forMs: 2000, rateMbps: fadedMbps, lossPercent: 4 },
  ]);

/** Two cells, one of which is further away and busier, with a break at each change. */
const handovers = (fartherMbps: number): Item[] =>
  every(20_000, [
    { atMs: 0, forMs: 50, outage: true },
    { atMs: 50, forMs: 9950, rateMbps: fartherMbps, delayMs: 35 },
    { atMs: 10_000, forMs: 50, outage: true },
  ]);

const evening = every(30_000, [
  { atMs: 0, forMs: 4000, rateMbps: 40, delayMs: 18, jitterMs: 6, lossPercent: 0.2 },
  { atMs: 8000, forMs: 6000, rateMbps: 20, delayMs: 30, jitterMs: 12, lossPercent: 0.5 },
  { atMs: 20_000, forMs: 3000, rateMbps: 60, delayMs: 15, jitterMs: 4 },
]);
const eveningUp = evening.map((item) => ({ ...item, rateMbps: (item.rateMbps ?? 0) / 5 }));

const specs: readonly NetworkSpecInput[] = [
  {
    id: 'starlink',
    title: 'Starlink, 100 to 200 Mbit/s down, 40 to 60 ms round trip, another satellite every 15 s',
    source:
      'Measured: quartiles of the round trip (Michel et al., IMC 2022). Measured: changes every 15 s (Mohan et al., WWW 2024), and that packets are lost at them (Kassem et al., IMC 2022). Assumed: the rates, 20 % loss for 100 ms at each change, and the queues',
    up: { rateMbps: 15, queueBytes: 250_000, delayMs: 25, schedule: starlinkSchedule(starlinkUpMbps) },
    down: { rateMbps: 150, queueBytes: 1_500_000, delayMs: 25, schedule: starlinkSchedule(starlinkDownMbps) },
  },
  {
    id: 'train',
    title: '4G on a fast train, with a tunnel of 6 s and a change of cells of 300 ms in every 45 s',
    source:
      'Measured: the statistics of the rates while driving and the round trip (Lumos5G, Narayanan et al., IMC 2020). Assumed: tunnels of 500 m at 300 km/h, changes of cells, how often both come, loss behind the tunnel, uplink and queues',
    up: {
      trace: { format: 'generated', generator: '4g-driving', seed: 2, scale: 0.3, capMbps: 250 },
      queueBytes: 1_500_000,
      delayMs: 44.5,
      schedule: train,
    },
    down: {
      trace: { format: 'generated', generator: '4g-driving', capMbps: 250 },
      queueBytes: 1_500_000,
      delayMs: 44.5,
      schedule: train,
    },
  },
  {
    id: 'wifi-roam',
    title: 'Wi-Fi that fades for 3 s and changes its access point in 300 ms, every 30 s',
    source:
      'Measured: that a change of access points takes tens to hundreds of milliseconds, most of it for the search (Mishra et al., 2003). Assumed: all figures',
    up: { rateMbps: 50, queueBytes: 312_500, delayMs: 8, schedule: roaming(4) },
    down: { rateMbps: 100, queueBytes: 625_000, delayMs: 8, schedule: roaming(8) },
  },
  {
    id: 'lift',
    title: '4G in a lift: 12 s without a signal in every minute, weak before and after',
    source: 'Assumed: all figures, and that a lift shuts out the signal',
    up: { rateMbps: 10, queueBytes: 250_000, delayMs: 25, schedule: lift(1) },
    down: { rateMbps: 30, queueBytes: 750_000, delayMs: 25, schedule: lift(2) },
  },
  {
    id: 'cellular-handover',
    title: '4G between two cells, 50 or 20 Mbit/s down, a break of 50 ms every 10 s',
    source:
      'The break is that of an LTE handover as 3GPP TR 36.881 reckons it. Assumed: rates, round trips, how often, and the queues',
    up: { rateMbps: 15, queueBytes: 250_000, delayMs: 22, schedule: handovers(6) },
    down: { rateMbps: 50, queueBytes: 1_000_000, delayMs: 22, schedule: handovers(20) },
  },
  {
    id: 'congested-evening',
    title: 'Cable in the evening, 20 to 100 Mbit/s down, 20 to 60 ms round trip',
    source: 'Rates without others: the benchmark of the FCC since 2024 (100/20 Mbit/s). Assumed: all else',
    up: { rateMbps: 20, queueBytes: 250_000, delayMs: 10, schedule: eveningUp },
    down: { rateMbps: 100, queueBytes: 625_000, delayMs: 10, schedule: evening },
  },
];

/** Networks whose figures change at times that are known beforehand. */
export const changingNetworks: readonly NetworkSpec[] = specs.map((spec) => networkSpecSchema.parse(spec));
