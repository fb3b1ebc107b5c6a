/** What the player page is told; read again by `page/session-config.ts`. */
export interface SessionQuery {
  /** Path of the manifest on the media hosts, without a leading slash. */
  readonly manifest: string;
  readonly abr: string;
  readonly chunkSeconds: number;
  readonly playSeconds: number;
  readonly bufferTargetSeconds: number;
  /** Media that must be buffered before the first frame is shown (s). */
  readonly startBufferSeconds: number;
  /** Rate of the film's sound; undefined for a film without. */
  readonly soundKbps: number | undefined;
  /** A broadcast: the name of its asset stands for the manifest, whose address tells when it began. Undefined on demand. */
  readonly live: LiveQuery | undefined;
  /** A media host for each player. */
  readonly hosts: readonly string[];
  /** A host for each download next to the players, and the path of what it downloads. */
  readonly crossHosts: readonly string[];
  readonly crossFile: string;
}

export interface LiveQuery {
  /** How far behind the live edge the player stays (ms). */
  readonly delayMs: number;
  readonly partSeconds: number;
  /** Where pictures say the number of their frame: how many there are a second. */
  readonly numberedPerSecond: number | undefined;
  /** A host of which a relay of MoQ begins the same broadcast; undefined: there is none. */
  readonly relayHost: string | undefined;
}

export function sessionQuery(query: SessionQuery): string {
  const parameters = new URLSearchParams({
    manifest: query.manifest,
    abr: query.abr,
    chunk: String(query.chunkSeconds),
    play: String(query.playSeconds),
    buffer: String(query.bufferTargetSeconds),
    start: String(query.startBufferSeconds),
    hosts: query.hosts.join(','),
  });
  if (query.soundKbps !== undefined) parameters.set('sound', String(query.soundKbps));
  if (query.live !== undefined) {
    const { delayMs, partSeconds, numberedPerSecond, relayHost } = query.live;
    parameters.set('live', String(delayMs));
    parameters.set('part', String(partSeconds));
    if (numberedPerSecond !== undefined) parameters.set('numbered', String(numberedPerSecond));
    if (relayHost !== undefined) parameters.set('relay', relayHost);
  }
  if (query.crossHosts.length > 0) {
    parameters.set('crossHosts', query.crossHosts.join(','));
    parameters.set('crossFile', query.crossFile);
  }
  return parameters.toString();
}
