import { broadcastFolder } from './broadcast.ts';

/** A broadcast that a player watches. */
export interface LiveConfig {
  /** Wall-clock time at which it began. */
  readonly startEpochMs: number;
  /** How far behind its edge the player stays (ms). */
  readonly delayMs: number;
  /** It is sent in parts of this length, each when it has been made (s). */
  readonly partSeconds: number;
  /** Frames a second where pictures say their numbers; null: they do not. */
  readonly numberedPerSecond: number | null;
  /** Where a relay of MoQ begins the same broadcast; null: there is none. */
  readonly relayUrl: string | null;
}

/** What one player is to do. */
export interface PlayerConfig {
  readonly manifestUrl: string;
  readonly abr: string;
  readonly chunkSeconds: number;
  readonly playSeconds: number;
  readonly bufferTargetSeconds: number;
  /** Media that must be buffered before the first frame is shown (s); 0: as soon as the browser can. */
  readonly startBufferSeconds: number;
  /** Rate of the film's sound; null for a film without. */
  readonly soundKbps: number | null;
  /** Null on demand. */
  readonly live: LiveConfig | null;
  /** Whether the player tells the server of itself in each request (CMCD). */
  readonly cmcd: boolean;
}

/** What the page is told in its query; written by `sessionQuery` in `video/session-query.ts`. */
export interface SessionConfig {
  /** Id and version of what plays, such as `hlsjs@1.7.4`; empty for the packaged dash.js. */
  readonly player: string;
  /** The players that run at once; the first is the one that is measured. */
  readonly players: readonly PlayerConfig[];
  /** Downloads that run next to them as long as the first plays, each again and again. */
  readonly crossTrafficUrls: readonly string[];
}

/**
 * Media comes from other hosts than this page, over its port, so their connections start cold: one for each player and
 * one for each download next to them.
 * @param nowEpochMs wall-clock time
 * @throws RangeError for a bad query
 */
export function readSessionConfig(location: Location, nowEpochMs: number): SessionConfig {
  const query = new Query(location.search);
  const port = location.port === '' ? '' : `:${location.port}`;
  const urlsOf = (hosts: string, path: string): string[] =>
    query.list(hosts).map((host) => `${location.protocol}//${host}${port}/${path}`);
  const manifest = query.text('manifest');
  const begun = liveConfig(query, nowEpochMs);
  const folder = begun === null ? '' : broadcastFolder(manifest, begun.startEpochMs, query.positive('play'));
  const [relayUrl = null] = urlsOf('relay', `${folder}/moq.json`);
  const live = begun === null ? null : { ...begun, relayUrl };
  const held = query.optional('held');
  const path = begun === null ? `${held === '' ? '' : `${held}/`}${manifest}` : `${folder}/live.mpd`;
  const players = urlsOf('hosts', path).map((manifestUrl) => ({
    manifestUrl,
    live,
    // A broadcast’s addresses tell its beginning to a program, which knows no other query.
    cmcd: query.optional('cmcd') !== '' && live === null,
    abr: query.text('abr'),
    chunkSeconds: query.positive('chunk'),
    playSeconds: query.positive('play'),
    bufferTargetSeconds: query.positive('buffer'),
    startBufferSeconds: Number(query.optional('start')),
    soundKbps: query.optional('sound') === '' ? null : query.positive('sound'),
  }));
  if (players.length === 0) throw new RangeError('the query names no media host');
  const crossTrafficUrls = urlsOf('crossHosts', query.optional('crossFile'));
  return { player: query.optional('player'), players, crossTrafficUrls };
}

/** It has just begun: the player starts with its first segment, as far behind the edge as it is to stay. */
function liveConfig(query: Query, nowEpochMs: number): Omit<LiveConfig, 'relayUrl'> | null {
  if (query.optional('live') === '') return null;
  const delayMs = query.positive('live');
  return {
    startEpochMs: Math.round(nowEpochMs - delayMs),
    delayMs,
    partSeconds: query.positive('part'),
    numberedPerSecond: query.optional('numbered') === '' ? null : query.positive('numbered'),
  };
}

class Query {
  private readonly parameters: URLSearchParams;

  constructor(search: string) {
    this.parameters = new URLSearchParams(search);
  }

  optional(name: string): string {
    return this.parameters.get(name) ?? '';
  }

  text(name: string): string {
    const value = this.optional(name);
    if (value === '') throw new RangeError(`the query lacks "${name}"`);
    return value;
  }

  list(name: string): string[] {
    return this.optional(name)
      .split(',')
      .filter((part) => part !== '');
  }

  positive(name: string): number {
    const value = Number(this.text(name));
    if (!(value > 0)) throw new RangeError(`"${name}" must be a positive number, got "${this.text(name)}"`);
    return value;
  }
}
