/** How long a session lasts and how far the player reads ahead. */
export interface SessionProfile {
  /** Appended to the workload's name; empty for the default. */
  readonly suffix: string;
  readonly playSeconds: number;
  /** The level at which the player stops requesting chunks (s): what the buffer-based rule calls the buffer's size. */
  readonly bufferTargetSeconds: number;
}

/** Every play length is a multiple of every offered chunk length, so that what is fetched is what is played. */
export const sessionProfiles: readonly SessionProfile[] = [
  { suffix: '', playSeconds: 12, bufferTargetSeconds: 8 },
  { suffix: '-4s', playSeconds: 4, bufferTargetSeconds: 3 },
  { suffix: '-60s', playSeconds: 60, bufferTargetSeconds: 20 },
];
