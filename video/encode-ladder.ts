import { resolve } from 'node:path';
import { H2h3Error } from '../src/model/errors.ts';
import type { PrepareContext } from '../src/model/workload.ts';
import { estimateEncode } from './encoder/estimate.ts';
import type { EncodeEstimate } from './encoder/estimate.ts';
import { prepareAsset } from './encoder/prepare-asset.ts';
import { readInputVideo } from './encoder/source.ts';
import type { VideoSource } from './encoder/source.ts';
import type { Ladder } from './ladders/ladder.ts';
import { ladderNamed } from './ladders/registry.ts';
import { ownVideoName, readOwnVideos, saveOwnVideo } from './own-video.ts';
import { assetRequest, chunkLengthsOf, profilesOf } from './playable-video.ts';
import type { PlayableVideo } from './playable-video.ts';
import { profilesWithin, sessionProfileNamed, sessionProfiles } from './session-profiles.ts';
import type { SessionProfile } from './session-profiles.ts';
import { workloadsOf } from './workloads.ts';

export interface EncodeLadderOptions {
  /** Name of a ladder. */
  readonly ladder: string;
  /** A video file; without one the test pictures are encoded. */
  readonly input?: string;
  /** Name of the input in its workloads; default: of its file. */
  readonly name?: string;
  /** Length to encode (s); default: the longest session the input allows, or the default session. */
  readonly seconds?: number;
  /** Take the place of another video of that name; without it that is refused. */
  readonly replace?: boolean;
}

/** What an encode is going to make: known once the input has been looked at. */
export interface EncodePlan {
  readonly ladder: string;
  readonly mediaSeconds: number;
  /** What follows in the user's video and is left out (s); null where it goes on for longer than any session. */
  readonly leftOutSeconds: number | null;
  /** Lengths of a session that the user's video is cut to (s). */
  readonly sessionSeconds: readonly number[];
  /** Each is cut from the same encode (s). */
  readonly chunkSeconds: readonly number[];
  /** As if nothing were cached. */
  readonly estimate: EncodeEstimate;
}

export interface EncodedLadder {
  readonly ladder: string;
  readonly mediaSeconds: number;
  /** A folder of segments and manifests for each chunk length. */
  readonly directories: readonly string[];
  /** Names of the workloads that play it. */
  readonly workloads: readonly string[];
}

/**
 * Encodes a ladder for all its chunk lengths, verified segment by segment; what is cached is used again, and an encode
 * that was interrupted goes on with the next track. `announce` is called before any encoding.
 * @throws H2h3Error `usage`, `bad-input` (an input that is no video, has no video track, or is shorter than a chunk),
 * `unsupported`, `process-failed`, `storage`, `interrupted`
 */
export async function encodeLadder(
  options: EncodeLadderOptions,
  context: PrepareContext,
  announce: (plan: EncodePlan) => void = () => undefined,
): Promise<EncodedLadder> {
  const ladder = ladderNamed(options.ladder);
  const available = await availableVideo(options, ladder, context);
  const profile = profileFor(options, available.seconds, ladder);
  const mediaSeconds = profile.playSeconds;
  const video = playableVideo(options, ladder, available.source, mediaSeconds);
  await requireOwnName(video, options, context);
  const chunkLengths = chunkLengthsOf(video, profile);
  const estimate = estimateEncode(ladder, mediaSeconds, chunkLengths.length);
  announce({
    ladder: ladder.id,
    mediaSeconds,
    chunkSeconds: chunkLengths,
    estimate,
    leftOutSeconds: leftOut(options, available.seconds, mediaSeconds),
    sessionSeconds: sessionLengths,
  });
  const directories: string[] = [];
  for (const chunkSeconds of chunkLengths) {
    const { directory } = await prepareAsset(assetRequest(video, chunkSeconds, profile), context);
    directories.push(directory);
  }
  if (video.own !== undefined && video.source.kind === 'file') {
    const { file, sha256 } = video.source;
    const record = { name: video.own.name, ladder: ladder.id, file, sha256, mediaSeconds };
    saveOwnVideo(context.cacheDir, { schemaVersion: 1, ...record });
  }
  return {
    ladder: ladder.id,
    mediaSeconds,
    directories,
    workloads: workloadsOf(video, video.own === undefined ? [profile] : profilesOf(video)).map(
      ({ id }) => id,
    ),
  };
}

/** Lengths that sessions of listed workloads have (s), shortest first. */
const sessionLengths: readonly number[] = [
  ...new Set(sessionProfiles.map(({ playSeconds }) => playSeconds)),
].sort((a, b) => a - b);

/** An input is looked at no further than the longest session goes, so that of longer ones the length is not known. */
function leftOut({ input }: EncodeLadderOptions, seconds: number, mediaSeconds: number): number | null {
  if (input === undefined) return 0;
  return seconds >= (sessionLengths.at(-1) ?? Infinity) ? null : seconds - mediaSeconds;
}

/** A name stands for one video: runs that can be resumed know it by that. */
async function requireOwnName(
  { ladder, own, source }: PlayableVideo,
  { replace = false }: EncodeLadderOptions,
  { cacheDir }: PrepareContext,
): Promise<void> {
  if (own === undefined || source.kind !== 'file' || replace) return;
  const earlier = (await readOwnVideos(cacheDir)).find(
    (video) => video.name === own.name && video.ladder === ladder.id,
  );
  if (earlier === undefined || earlier.sha256 === source.sha256) return;
  throw new H2h3Error('usage', `another video is called "${own.name}" already`, {
    context: { file: source.file, expected: `the content of ${earlier.file}`, got: 'another content' },
    next: 'give this one a name with --name, or put it in the place of the other with --replace',
  });
}

function playableVideo(
  options: EncodeLadderOptions,
  ladder: Ladder,
  source: VideoSource,
  mediaSeconds: number,
): PlayableVideo {
  if (source.kind === 'generated') return { ladder, source };
  return { ladder, source, own: { name: ownVideoName(options.name ?? source.file), mediaSeconds } };
}

/** The longest session that is wanted: one of the listed for an own video, of test pictures one of any whole GOPs. */
function profileFor(options: EncodeLadderOptions, availableSeconds: number, ladder: Ladder): SessionProfile {
  const seconds = wantedSeconds(options, availableSeconds);
  const within = profilesWithin(seconds, ladder.gopSeconds);
  const listed = within.toSorted((profile, other) => other.playSeconds - profile.playSeconds)[0];
  const wholeGops = Math.floor(seconds / ladder.gopSeconds) * ladder.gopSeconds;
  const found =
    options.input !== undefined || listed?.playSeconds === wholeGops
      ? listed
      : sessionProfileNamed(`-${wholeGops}s`);
  if (found !== undefined) return found;
  throw new H2h3Error('usage', 'the video cannot be encoded at that length', {
    context: { expected: `at least one chunk of ${ladder.gopSeconds} s`, got: `${seconds} s` },
  });
}

async function availableVideo(
  options: EncodeLadderOptions,
  ladder: Ladder,
  context: PrepareContext,
): Promise<{ readonly source: VideoSource; readonly seconds: number }> {
  if (options.input === undefined) return { source: { kind: 'generated' }, seconds: Infinity };
  const limits = {
    framesPerSecond: ladder.framesPerSecond,
    leastSeconds: Math.min(...ladder.chunkSeconds),
    mostSeconds: Math.max(...sessionProfiles.map((profile) => profile.playSeconds)),
  };
  return readInputVideo(resolve(options.input), await context.ffmpegPath(), limits, context.signal);
}

function wantedSeconds(options: EncodeLadderOptions, availableSeconds: number): number {
  const wanted = options.seconds ?? (options.input === undefined ? defaultSeconds() : availableSeconds);
  if (wanted > 0 && wanted <= availableSeconds) return wanted;
  throw new H2h3Error('usage', 'the video cannot be encoded at that length', {
    context: { expected: `more than 0 and at most ${availableSeconds} s`, got: `${wanted} s` },
  });
}

function defaultSeconds(): number {
  return sessionProfiles[0]?.playSeconds ?? 0;
}
