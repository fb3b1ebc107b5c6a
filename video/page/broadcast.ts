/** Every asset has a keyframe each second, and a fragment from each to the next: what is sent as soon as it is there (s). */
export const partSeconds = 1;

/**
 * How far behind the live edge the player stays (s): one part of a second that is still being made, one that is on its
 * way, and one to play meanwhile.
 */
export const broadcastDelaySeconds = 3;

/**
 * Path of a live manifest on a media host; it says when the broadcast began and how long it lasts, so it need not be
 * remember that.
 */
export function broadcastPath(asset: string, startEpochMs: number, playSeconds: number): string {
  return `live/${startEpochMs}/${playSeconds}/${asset}/live.mpd`;
}
