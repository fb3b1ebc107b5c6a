import { readCmcd, type CmcdKeys } from '../../model/cmcd.ts';
import type { ServerLogEntry } from '../../model/raw-trial.ts';
import type { VideoPlayer, VideoSession } from '../../model/session.ts';

type Chunk = VideoPlayer['chunks'][number];

/** Players round durations of their manifests. */
const durationToleranceMs = 20;
/** Players look at their buffers at other moments of a request than we do, and round to 100 ms. */
const bufferToleranceMs = 500;
/** Types of objects that hold video. */
const videoTypes = ['v', 'av'];

/**
 * What players told the server of their requests (CMCD), key by key against what the session's own log says, and against what
 * the server's log has of it. Nothing where no player told anything: in judged trials they do not.
 *
 * @returns a sentence for each disagreement
 */
export function cmcdDisagreements(session: VideoSession, log: readonly ServerLogEntry[]): string[] {
  return [session, ...(session.others ?? [])].flatMap((player) => ofPlayer(player, log));
}

/** The same for readers: one line, however many there are. */
export function cmcdWarnings(session: VideoSession, log: readonly ServerLogEntry[] | null): string[] {
  const found = cmcdDisagreements(session, log ?? []);
  const [first] = found;
  return first === undefined
    ? []
    : [`what the player told the server (CMCD) disagrees in ${found.length} places, such as ${first}`];
}

function ofPlayer({ chunks }: VideoPlayer, log: readonly ServerLogEntry[]): string[] {
  if (chunks.every(({ cmcd }) => cmcd === undefined)) return [];
  const sessions = new Set(chunks.map(({ cmcd = '' }) => readCmcd(cmcd).get('sid')));
  const several = sessions.size > 1 ? [`sid: ${sessions.size} sessions`] : [];
  return [...several, ...chunks.flatMap((chunk) => ofChunk(chunk, log))];
}

function ofChunk(chunk: Chunk, log: readonly ServerLogEntry[]): string[] {
  const { url, cmcd = '' } = chunk;
  const place = URL.parse(url);
  const logged = log.filter(({ host, path }) => host === place?.hostname && path === place.pathname);
  const served = logged.some((entry) => entry.cmcd === cmcd) ? [] : ['the server’s log has other keys'];
  return [...served, ...differing(readCmcd(cmcd), chunk)].map((what) => `${place?.pathname ?? url}: ${what}`);
}

function differing(keys: CmcdKeys, { bitrateKbps, durationSeconds, bufferLevelSeconds }: Chunk): string[] {
  const beyond = (key: string, ours: number, tolerance: number): string[] => {
    const told = keys.get(key);
    const isNear = told !== undefined && Math.abs(Number(told) - ours) <= tolerance;
    return isNear ? [] : [`${key}: ${told ?? 'nothing'} told, ${Math.round(ours)} in the session`];
  };
  const type = keys.get('ot');
  return [
    ...beyond('br', bitrateKbps, 1),
    ...beyond('d', durationSeconds * 1000, durationToleranceMs),
    ...(keys.has('bl') ? beyond('bl', bufferLevelSeconds * 1000, bufferToleranceMs) : []),
    ...(type !== undefined && videoTypes.includes(type) ? [] : [`ot: ${type ?? 'nothing'} told`]),
  ];
}
