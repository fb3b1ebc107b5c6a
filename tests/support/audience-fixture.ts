import type { Audience } from '../../src/core/model/audience.ts';

/** An audience of segments with these shares, on networks `audience-1`, `audience-2`, … */
export function audienceFixture(shares: readonly number[], leftOut = 0): Audience {
  return {
    source: 'users.csv',
    conditions: shares.map((share, index) => ({
      network: `audience-${index + 1}`,
      title: `Segment ${index + 1}, ${20 * (index + 1)} ms at 50 Mbit/s`,
      share,
      segments: 1,
      rttMs: 20 * (index + 1),
      downMbps: 50,
      upMbps: 10,
      lossPercent: 0,
    })),
    leftOut:
      leftOut === 0 ? [] : [{ title: 'without a rate', share: leftOut, why: 'nothing can stand for them' }],
    spread: { rttPercent: 0, ratePercent: 0 },
    notes: [],
  };
}
