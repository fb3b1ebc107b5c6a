import type { VideoPlayer, VideoSession } from '../../model/session.ts';
import { mean, sum } from './numbers.ts';
import { playedChunks } from './video-chunks.ts';

/**
 * Jain's index of how evenly shares are spread: (Σx)² ÷ (n·Σx²), 1 when all are equal and 1/n when one has all.
 * Jain, Chiu, Hawe: "A Quantitative Measure of Fairness" (DEC-TR-301, 1984). Null without a share above 0.
 */
export function jainIndex(shares: readonly number[]): number | null {
  const squares = sum(shares.map((share) => share * share));
  return squares > 0 ? sum(shares) ** 2 / (shares.length * squares) : null;
}

/** Fairness of the mean bitrates that players at once got to show, as Jiang et al. (FESTIVE, CoNEXT 2012) take it. */
export function fairnessOf(session: VideoSession): number | null | undefined {
  if (session.others === undefined || session.others.length === 0) return undefined;
  const shareOf = (player: VideoPlayer): number =>
    mean(playedChunks(player).map(({ bitrateKbps }) => bitrateKbps)) ?? 0;
  return jainIndex([session, ...session.others].map(shareOf));
}
