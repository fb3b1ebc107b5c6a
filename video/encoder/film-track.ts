/** A video track of a file. */
export interface FilmTrack {
  readonly file: string;
  /** From 0, attached pictures left out. */
  readonly track: number;
}

/**
 * What ffmpeg calls a video track of its n-th input, both from 0: covers and thumbnails are video tracks to it as well (`V` leaves
 * them out).
 */
export function filmTrack(input: number, track: number): string {
  return `${input}:V:${track}`;
}
