import { mean, sum } from './numbers.ts';

/**
 * Coefficients of the linear QoE of Pensieve (Mao et al., SIGCOMM 2017, §5.1):
 * per chunk q(R) = R in Mbit/s, minus `rebufferPenaltyMbps` for each second of rebuffering, minus |q(R) − q(previous R)|.
 * The paper's 4.3 is the top bitrate of its own ladder in Mbit/s: a second of stall costs as much as a chunk of the
 * best track is worth. Here it is the top bitrate of the ladder that was played, so that the score keeps its meaning
 * on ladders of 20 to 200 Mbit/s.
 */
export interface QoeCoefficients {
  /** Worth of 1 Mbit/s of encoded bitrate. */
  readonly bitrateWeight: number;
  /** Cost of one second of network stall, Mbit/s. */
  readonly rebufferPenaltyMbps: number;
  /** Cost of 1 Mbit/s of change between consecutive chunks. */
  readonly switchWeight: number;
}

/** @param topBitrateKbps the best track of the ladder. */
export function qoeCoefficients(topBitrateKbps: number): QoeCoefficients {
  return { bitrateWeight: 1, rebufferPenaltyMbps: topBitrateKbps / 1000, switchWeight: 1 };
}

/**
 * Mean QoE per played chunk, in Mbit/s; null for a session without chunks. The start-up wait is no rebuffering here,
 * it has a metric of its own.
 */
export function qoeScore(
  bitratesKbps: readonly number[],
  stallTotalMs: number,
  coefficients: QoeCoefficients,
): number | null {
  const utility = mean(bitratesKbps);
  if (utility === null) return null;
  const changesKbps = bitrateChangesKbps(bitratesKbps);
  const count = bitratesKbps.length;
  return (
    (coefficients.bitrateWeight * utility) / 1000 -
    (coefficients.rebufferPenaltyMbps * (stallTotalMs / 1000)) / count -
    (coefficients.switchWeight * sum(changesKbps)) / 1000 / count
  );
}

/** Absolute change of bitrate from each chunk to the next. */
export function bitrateChangesKbps(bitratesKbps: readonly number[]): readonly number[] {
  return bitratesKbps.slice(1).map((bitrate, index) => Math.abs(bitrate - (bitratesKbps[index] ?? bitrate)));
}
