/** What the page is told in its query; written by `sessionQuery` in `video/session-query.ts`. */
export interface SessionConfig {
  readonly manifestUrl: string;
  readonly abr: string;
  readonly chunkSeconds: number;
  readonly playSeconds: number;
  readonly bufferTargetSeconds: number;
}

const mediaHost = 'media.h2h3.test';

/** Media comes from another host over the port of this page, so its connection starts cold. @throws RangeError for a bad query. */
export function readSessionConfig(location: Location): SessionConfig {
  const query = new URLSearchParams(location.search);
  const text = (name: string): string => {
    const value = query.get(name);
    if (value === null || value === '') throw new RangeError(`the query lacks "${name}"`);
    return value;
  };
  const positive = (name: string): number => {
    const value = Number(text(name));
    if (!(value > 0)) throw new RangeError(`"${name}" must be a positive number, got "${text(name)}"`);
    return value;
  };
  const port = location.port === '' ? '' : `:${location.port}`;
  return {
    manifestUrl: `${location.protocol}//${mediaHost}${port}/${text('manifest')}`,
    abr: text('abr'),
    chunkSeconds: positive('chunk'),
    playSeconds: positive('play'),
    bufferTargetSeconds: positive('buffer'),
  };
}
