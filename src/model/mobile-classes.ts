import type { TraceGenerator } from './network-spec.ts';

/** What a mobile network has beside the rates of its trace. */
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
export const mobileClasses: Readonly<Record<TraceGenerator, MobileClass>> = {
  '4g-walking': { rttMs: 89, uplinkShare: 0.3, queueBytes: 1_500_000 },
  '4g-driving': { rttMs: 89, uplinkShare: 0.3, queueBytes: 1_500_000 },
  '5g-walking': { rttMs: 7, uplinkShare: 0.1, queueBytes: 3_000_000 },
  '5g-driving': { rttMs: 7, uplinkShare: 0.1, queueBytes: 3_000_000 },
};
