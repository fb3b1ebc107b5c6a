import { H2h3Error } from '../../src/core/model/errors.ts';
import { sessionProfiles } from '../session-profiles.ts';
import type { Ladder } from './ladder.ts';

/** What a ladder should be and what it is instead; null: nothing is wrong. */
type Rule = (ladder: Ladder) => { readonly expected: string; readonly got: string } | null;

/** Megabytes (10^6) that Chromium's Media Source holds without a switch. */
const usualQuotaMegabytes = 150;
/** Media behind the playhead that a player keeps, s. */
const keptSeconds = 2;

const isWhole = (value: number): boolean => Number.isInteger(value) && value > 0;

/** All that encoder, player and workload names refuse of a ladder, told before anything is encoded. */
const rules: readonly Rule[] = [
  ({ id }) =>
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id) && !/-\d+s(-|$)/.test(id)
      ? null
      : {
          expected: 'an id of small letters, digits and single hyphens without a length such as -2s',
          got: id,
        },
  ({ tracks }) => (tracks.length > 0 ? null : { expected: 'at least one track', got: 'none' }),
  ({ tracks }) => {
    const rates = tracks.map((track) => track.bitrateKbps);
    if (rates.every((rate, index) => rate > (rates[index - 1] ?? 0))) return null;
    return { expected: 'positive bitrates that rise from track to track', got: rates.join(', ') };
  },
  ({ tracks }) => {
    // H.264, VP9 and AV1 with 4:2:0 colours halve both sides.
    const odd = tracks.find(({ width, height }) => !isWhole(width / 2) || !isWhole(height / 2));
    return odd === undefined
      ? null
      : { expected: 'even widths and heights in pixels', got: `${odd.width} × ${odd.height}` };
  },
  ({ framesPerSecond, gopSeconds }) =>
    gopSeconds > 0 && isWhole(framesPerSecond * gopSeconds)
      ? null
      : { expected: 'a whole number of frames in a GOP', got: String(framesPerSecond * gopSeconds) },
  ({ chunkSeconds, gopSeconds }) =>
    chunkSeconds.length > 0 && chunkSeconds.every((length) => isWhole(length) && length % gopSeconds === 0)
      ? null
      : {
          expected: `chunk lengths of whole seconds that are multiples of ${gopSeconds} s`,
          got: chunkSeconds.join(', ') || 'none',
        },
  ({ chunkSeconds }) => {
    const unplayed = chunkSeconds.filter((length) =>
      sessionProfiles.every(({ playSeconds }) => playSeconds % length !== 0),
    );
    const sessions = sessionProfiles.map(({ playSeconds }) => playSeconds);
    return unplayed.length === 0
      ? null
      : {
          expected: `chunk lengths that divide a session of ${[...new Set(sessions)].join(', ')} s`,
          got: unplayed.join(', '),
        };
  },
  ({ form, base }) =>
    form !== 'padded' || base !== undefined ? null : { expected: 'a base encode to pad', got: 'none' },
  ({ codec, form }) =>
    codec === 'h264' || form === 'padded' ? null : { expected: 'H.264, or padded segments', got: codec },
  ({ base, chunkSeconds, tracks }) => {
    // The encoder's buffer holds a second at the peak, so a chunk may carry a second more than it lasts.
    const shortest = Math.min(...chunkSeconds);
    const most = ((tracks[0]?.bitrateKbps ?? 0) * shortest) / (shortest + 1);
    if (base === undefined || base.maxBitrateKbps <= most) return null;
    return {
      expected: `a base encode of at most ${Math.floor(most)} kbit/s, so that chunks of ${shortest} s fit into the lowest track`,
      got: `${base.maxBitrateKbps} kbit/s`,
    };
  },
  ({ chunkSeconds, tracks, mediaBufferMegabytes }) => {
    const readAhead = Math.max(...sessionProfiles.map(({ bufferTargetSeconds }) => bufferTargetSeconds));
    const heldSeconds = keptSeconds + readAhead + Math.max(...chunkSeconds);
    const needed = (heldSeconds * (tracks.at(-1)?.bitrateKbps ?? 0)) / 8000;
    if (needed <= (mediaBufferMegabytes || usualQuotaMegabytes)) return null;
    return {
      expected: `mediaBufferMegabytes of at least ${Math.ceil(needed)}, or the player stops when its buffer is full`,
      got: String(mediaBufferMegabytes),
    };
  },
];

/** The ladder itself. @throws H2h3Error `bad-input` for one that its first run would refuse */
export function checked(ladder: Ladder): Ladder {
  for (const rule of rules) {
    const fault = rule(ladder);
    if (fault === null) continue;
    throw new H2h3Error('bad-input', `ladder "${ladder.id}" cannot be used`, {
      context: { file: `video/ladders/${ladder.id}.ts`, ...fault },
      next: 'Correct the file of the ladder.',
    });
  }
  return ladder;
}
