/** How a session is played; one for each entry of `sessions.ts`. */
export interface SessionQuery {
  /** Path of the manifest on the media host, without a leading slash. */
  readonly manifest: string;
  readonly abr: string;
  readonly chunkSeconds: number;
  readonly playSeconds: number;
  readonly bufferTargetSeconds: number;
}

/** The player page's query, read again by `page/session-config.ts`. */
export function sessionQuery(query: SessionQuery): string {
  return new URLSearchParams({
    manifest: query.manifest,
    abr: query.abr,
    chunk: String(query.chunkSeconds),
    play: String(query.playSeconds),
    buffer: String(query.bufferTargetSeconds),
  }).toString();
}
