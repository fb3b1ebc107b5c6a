/** How long a session lasts and how far the player reads ahead. */
export interface SessionProfile {
  /** Appended to the workload's name; empty for the default. */
  readonly suffix: string;
  readonly playSeconds: number;
  /** What the player's buffer may hold (s): a chunk is requested when there is room for it. */
  readonly bufferTargetSeconds: number;
  /** Players that share the path, each over a connection of its own; the first is measured. */
  readonly players: number;
  /** Downloads that run beside the players, each over a connection of its own. */
  readonly crossDownloads: number;
}

const alone = { players: 1, crossDownloads: 0 };
const usual: SessionProfile = { suffix: '', playSeconds: 12, bufferTargetSeconds: 8, ...alone };
const shortest: SessionProfile = { suffix: '-4s', playSeconds: 4, bufferTargetSeconds: 3, ...alone };

/** Every play length is a multiple of every offered chunk length, so that what is fetched is what is played. */
export const sessionProfiles: readonly SessionProfile[] = [
  usual,
  shortest,
  { ...usual, suffix: '-60s', playSeconds: 60, bufferTargetSeconds: 20 },
  { ...usual, suffix: '-3players', players: 3 },
  { ...usual, suffix: '-cross', crossDownloads: 1 },
];

/**
 * The sessions that media of this length allows; for media shorter than all of them one that plays its whole GOPs.
 * Empty when there is not even one GOP.
 */
export function profilesWithin(mediaSeconds: number, gopSeconds: number): readonly SessionProfile[] {
  const fitting = sessionProfiles.filter((profile) => profile.playSeconds <= mediaSeconds);
  const wholeGops = Math.floor(mediaSeconds / gopSeconds) * gopSeconds;
  if (fitting.length > 0 || wholeGops === 0) return fitting;
  return [{ ...shortest, suffix: '', playSeconds: wholeGops }];
}
