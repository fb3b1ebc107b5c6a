import { readCmcd, type CmcdKeys } from '../../core/model/cmcd.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import { fetchedChunks, playersOf } from '../../core/model/session.ts';
import type { VideoPlayer, VideoSession } from '../../core/model/session.ts';
import type { DerivedPart } from './derived-part.ts';

type Chunk = VideoPlayer['chunks'][number];

/** Players round durations of their manifests. */
const durationToleranceMs = 20;
/** Players look at their buffers at other moments of a request than we do, and round to 100 ms. */
const bufferToleranceMs = 500;
/** Types of objects that hold pictures, and sound. */
const videoTypes = ['v', 'av'];
const soundTypes = ['a'];

interface Disagreement {
  /** Path of the request; empty where the session as a whole disagrees. */
  readonly path: string;
  readonly what: string;
}

/**
 * What players told the server of their requests (CMCD), key by key against what the session's own log says, and against what
 * the server's log has of it. Nothing where no player told anything: in judged trials they do not.
 *
 * @returns a sentence for each disagreement
 */
export function cmcdDisagreements(session: VideoSession, log: readonly ServerLogEntry[]): string[] {
  return disagreements(session, log).map(sentenceOf);
}

const sentenceOf = ({ path, what }: Disagreement): string => (path === '' ? what : `${path}: ${what}`);

function disagreements(session: VideoSession, log: readonly ServerLogEntry[]): Disagreement[] {
  return playersOf(session).flatMap((player) => ofPlayer(player, log));
}

/** How many requests told the server something and how many of them are contradicted, and for readers one line, however many there are. */
export function cmcdWitness(session: VideoSession, log: readonly ServerLogEntry[] | null): DerivedPart {
  const found = disagreements(session, log ?? []);
  const [first] = found;
  const told = playersOf(session)
    .flatMap(fetchedChunks)
    .filter(({ cmcd }) => cmcd !== undefined).length;
  const paths = new Set(found.map(({ path }) => path));
  return {
    metrics: told === 0 ? {} : { cmcdRequests: told, cmcdContradicted: Math.min(told, paths.size) },
    warnings:
      first === undefined
        ? []
        : [
            `what the player told the server (CMCD) disagrees in ${found.length} places, such as ${sentenceOf(first)}`,
          ],
  };
}

function ofPlayer(player: VideoPlayer, log: readonly ServerLogEntry[]): Disagreement[] {
  const chunks = fetchedChunks(player);
  if (chunks.every(({ cmcd }) => cmcd === undefined)) return [];
  const sessions = new Set(chunks.map(({ cmcd = '' }) => readCmcd(cmcd).get('sid')));
  const several = sessions.size > 1 ? [{ path: '', what: `sid: ${sessions.size} sessions` }] : [];
  const { sound, ladder } = player;
  const soundKbps = sound?.bitrateKbps ?? 0;
  return [
    ...several,
    ...player.chunks.flatMap((chunk) =>
      ofChunk(chunk, log, {
        types: videoTypes,
        variantsKbps: [chunk.bitrateKbps + soundKbps, ...changedToKbps(player, chunk)],
        hasSound: soundKbps > 0,
      }),
    ),
    ...(sound?.chunks ?? []).flatMap((chunk) => {
      const variantsKbps = ladder.map(({ bitrateKbps }) => bitrateKbps + soundKbps);
      return ofChunk(chunk, log, { types: soundTypes, variantsKbps, hasSound: true });
    }),
  ];
}

/**
 * The rate of the track that the player had changed to when it asked for a chunk of the track before; nothing where it had not.
 * Shaka Player tells that rate: it looks its track up again once the initialisation segment of the one before has come.
 */
function changedToKbps({ decisions, ladder }: VideoPlayer, chunk: Chunk): number[] {
  const last = decisions.findLast(({ tMs }) => tMs <= chunk.responseStartMs);
  if (last === undefined || last.to === chunk.representation) return [];
  return ladder
    .filter(({ representation }) => representation === last.to)
    .map(({ bitrateKbps }) => bitrateKbps);
}

/** What chunks of one kind are held to. */
interface Expected {
  readonly types: readonly string[];
  /** Other rates that a player may tell: of pictures and sound together, as hls.js does of either, or of the next track. */
  readonly variantsKbps: readonly number[];
  /** The session then knows how much can be played, and a player tells how much it has of one kind: as much at least. */
  readonly hasSound: boolean;
}

function ofChunk(chunk: Chunk, log: readonly ServerLogEntry[], expected: Expected): Disagreement[] {
  const { url, cmcd = '' } = chunk;
  const place = URL.parse(url);
  const logged = log.filter(({ host, path }) => host === place?.hostname && path === place.pathname);
  const served = logged.some((entry) => entry.cmcd === cmcd) ? [] : ['the server’s log has other keys'];
  const path = place?.pathname ?? url;
  return [...served, ...differing(readCmcd(cmcd), chunk, expected)].map((what) => ({ path, what }));
}

function differing(
  keys: CmcdKeys,
  { bitrateKbps, durationSeconds, bufferLevelSeconds }: Chunk,
  { types, variantsKbps, hasSound }: Expected,
): string[] {
  const beyond = (key: string, ours: number, less: number, more = less): string[] => {
    const told = keys.get(key);
    const above = Number(told) - ours;
    const isNear = told !== undefined && above >= -less && above <= more;
    return isNear ? [] : [`${key}: ${told ?? 'nothing'} told, ${Math.round(ours)} in the session`];
  };
  const moreMs = hasSound ? Infinity : bufferToleranceMs;
  const tellsVariant = variantsKbps.includes(Number(keys.get('br')));
  const type = keys.get('ot');
  return [
    ...(tellsVariant ? [] : beyond('br', bitrateKbps, 1)),
    ...beyond('d', durationSeconds * 1000, durationToleranceMs),
    ...(keys.has('bl') ? beyond('bl', bufferLevelSeconds * 1000, bufferToleranceMs, moreMs) : []),
    ...(type !== undefined && types.includes(type) ? [] : [`ot: ${type ?? 'nothing'} told`]),
  ];
}
