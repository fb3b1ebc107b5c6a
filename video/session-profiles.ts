import { usualDelayMs } from './page/broadcast.ts';

/** How long a session lasts and how far the player reads ahead. */
export interface SessionProfile {
  /** Appended to the workload's name; empty for the default. */
  readonly suffix: string;
  readonly playSeconds: number;
  /** What the player's buffer may hold (s): a chunk is requested when there is room for it. */
  readonly bufferTargetSeconds: number;
  /** Players that share the path, each over a connection of its own; the first is measured. */
  readonly players: number;
  /** Downloads that run next to the players, each over a connection of its own. */
  readonly crossDownloads: number;
  /** Media that must be buffered before the first frame is shown (s); 0: as soon as the browser can. */
  readonly startBufferSeconds: number;
  /** A broadcast that is made while it is watched, instead of a file that is all there. */
  readonly live: boolean;
  /** How far behind the live edge the player stays (ms). */
  readonly liveDelayMs: number;
}

const alone = {
  players: 1,
  crossDownloads: 0,
  startBufferSeconds: 0,
  live: false,
  liveDelayMs: usualDelayMs,
};
/** As long as a viewer would call watching, with a buffer as players on the web have. */
const usual: SessionProfile = { suffix: '', playSeconds: 60, bufferTargetSeconds: 20, ...alone };
/** Too short for a verdict about stalls or quality, as `-4s` is: for tests, and for what begins a session. */
const short: SessionProfile = { suffix: '-12s', playSeconds: 12, bufferTargetSeconds: 8, ...alone };
const shortest: SessionProfile = { suffix: '-4s', playSeconds: 4, bufferTargetSeconds: 3, ...alone };

/** Every play length is a multiple of every offered chunk length, so that what is fetched is what is played. */
export const sessionProfiles: readonly SessionProfile[] = [
  usual,
  shortest,
  short,
  { ...usual, suffix: '-3players', players: 3 },
  { ...usual, suffix: '-cross', crossDownloads: 1 },
  { ...usual, suffix: '-live', live: true },
];

/** Beyond these a browser measures itself. */
const maxPlayers = 8;
const maxDownloads = 8;
/** A player further behind than this waits for most of a short session. */
const maxDelayMs = 10_000;

/**
 * A session by the end of a workload's name: `-live` for a broadcast, `-delay500ms` for how far behind it the player
 * stays, `-60s` play length, `-3players`, `-cross` or `-2cross` for downloads next to them, `-buffer30` for the buffer's
 * target and `-start2` for what must be buffered before the first frame, any of them, in this order. Undefined for an end
 * that says something else, or a session that could not be played.
 */
export function sessionProfileNamed(suffix: string): SessionProfile | undefined {
  const words =
    /^(-live(?:-delay(\d+)ms)?)?(?:-(\d+)s)?(?:-(\d+)players)?(?:-(\d*)cross)?(?:-buffer(\d+))?(?:-start(\d+))?$/.exec(
      suffix,
    );
  if (words === null) return undefined;
  const [, live, delay, seconds, players = '1', cross, buffer, start = '0'] = words;
  const playSeconds = seconds === undefined ? usual.playSeconds : Number(seconds);
  const profile = {
    suffix,
    playSeconds,
    bufferTargetSeconds: buffer === undefined ? usualBuffer(playSeconds) : Number(buffer),
    players: Number(players),
    crossDownloads: cross === undefined ? 0 : Number(cross === '' ? 1 : cross),
    startBufferSeconds: Number(start),
    live: live !== undefined,
    liveDelayMs: delay === undefined ? usualDelayMs : Number(delay),
  };
  return isPlayable(profile) ? profile : undefined;
}

function usualBuffer(playSeconds: number): number {
  if (playSeconds <= shortest.playSeconds) return shortest.bufferTargetSeconds;
  return (playSeconds < usual.playSeconds ? short : usual).bufferTargetSeconds;
}

function isPlayable(profile: SessionProfile): boolean {
  const { playSeconds, bufferTargetSeconds, players, crossDownloads, startBufferSeconds, liveDelayMs } =
    profile;
  return (
    playSeconds > 0 &&
    liveDelayMs > 0 &&
    liveDelayMs <= maxDelayMs &&
    bufferTargetSeconds > 0 &&
    startBufferSeconds < bufferTargetSeconds &&
    players > 0 &&
    players <= maxPlayers &&
    crossDownloads <= maxDownloads
  );
}
