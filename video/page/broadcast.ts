/** A broadcast is sent in parts of this length (s), each as soon as it is there, where its asset says no other. */
export const usualPartSeconds = 1;

/**
 * How far behind the live edge the player stays (ms), where the workload says nothing else: one part of a second that is still
 * being made, one that is on its way, and one to play meanwhile.
 */
export const usualDelayMs = 3000;

/**
 * Path of a live manifest on a media host; it says when the broadcast began and how long it lasts, so that no server must
 * remember that.
 */
export function broadcastPath(asset: string, startEpochMs: number, playSeconds: number): string {
  return `${broadcastFolder(asset, startEpochMs, playSeconds)}/live.mpd`;
}

/** What all paths of a broadcast begin with. */
export function broadcastFolder(asset: string, startEpochMs: number, playSeconds: number): string {
  return `live/${startEpochMs}/${playSeconds}/${asset}`;
}
