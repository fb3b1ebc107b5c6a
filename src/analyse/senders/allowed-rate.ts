import { megabitsPerSecond } from '../../core/model/units.ts';

/** What a packet of 1500 bytes carries for TCP with time stamps. */
const segmentBytes = 1448;

/** Constants of CUBIC (RFC 9438, sections 4.6 and 4.1.2). */
const beta = 0.7;
const cubic = 0.4;

/**
 * Mean rate in Mbit/s that Reno's and CUBIC's responses to a share of losses allow, whichever is larger: Reno by
 * Mathis et al. 1997 (increase and decrease of RFC 5681, one acknowledgement a packet), CUBIC by RFC 9438, section 5.1.
 *
 * @param lossShare of packets, above 0 and up to 1
 */
export function allowedRateMbps(lossShare: number, roundTripMs: number): number {
  const roundTripSeconds = roundTripMs / 1000;
  const renoPackets = Math.sqrt(3 / (2 * lossShare));
  const cubicPackets =
    ((cubic * (3 + beta)) / (4 * (1 - beta))) ** 0.25 * (roundTripSeconds / lossShare) ** 0.75;
  return megabitsPerSecond(Math.max(renoPackets, cubicPackets) * segmentBytes, roundTripMs);
}
