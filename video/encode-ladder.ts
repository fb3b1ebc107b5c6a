import { resolve } from 'node:path';
import { H2h3Error } from '../src/core/model/errors.ts';
import type { PrepareContext } from '../src/core/model/workload.ts';
import type { AssetRequest } from './encoder/asset.ts';
import { estimateEncode } from './encoder/estimate.ts';
import type { EncodeEstimate } from './encoder/estimate.ts';
import { prepareAsset } from './encoder/prepare-asset.ts';
import { encoderFor, placesKeyframes } from './encoder/codec-encoders.ts';
import { filmChanges } from './encoder/film-changes.ts';
import { fittedLadder } from './encoder/film-pictures.ts';
import { filmSound } from './encoder/film-sound.ts';
import { filmAbilities, filmPictures } from './encoder/look-at-film.ts';
import { isSteady } from './encoder/segment-frames.ts';
import { readInputVideo } from './encoder/source.ts';
import type { InputVideo } from './encoder/source.ts';
import { filmLengths } from './film-length.ts';
import type { Ladder } from './ladders/ladder.ts';
import { ladderNamed } from './ladders/registry.ts';
import { ownVideoName, readOwnVideos, saveOwnVideo } from './own-video.ts';
import type { OwnVideo } from './own-video.ts';
import { assetRequest, chunkLengthsOf, isLooped, ownVideo } from './playable-video.ts';
import type { PlayableVideo } from './playable-video.ts';
import { sessionProfileNamed, sessionProfiles } from './session-profiles.ts';
import type { SessionProfile } from './session-profiles.ts';
import { workloadsOf } from './workloads.ts';

export interface EncodeLadderOptions {
  /** Name of a ladder. */
  readonly ladder: string;
  /** A video file; without one the test pictures are encoded. */
  readonly input?: string;
  /** Name of the input in its workloads; default: of its file. */
  readonly name?: string;
  /** Length to encode (s); default: of an input as much as the longest session plays, else the default session. */
  readonly seconds?: number;
  /** Take the place of another video of that name; without it that is refused. */
  readonly replace?: boolean;
}

/** What an encode is going to make: known once the input has been looked at. */
export interface EncodePlan {
  readonly ladder: string;
  /** Of the longest session (s). */
  readonly mediaSeconds: number;
  /** Length that is encoded (s); longer sessions repeat it. */
  readonly filmSeconds: number;
  /** Which video track of the user's file, from 1, attached pictures left out; null: test pictures. */
  readonly videoTrack: number | null;
  /** What follows in the user's video and is left out (s); null where it goes on for longer than any session. */
  readonly leftOutSeconds: number | null;
  /** Lengths of the sessions in which the user's video begins again (s). */
  readonly loopedSeconds: readonly number[];
  /** What sessions show otherwise than the user's file has it, a sentence each. */
  readonly changes: readonly string[];
  /** Each is cut from the same encode (s). */
  readonly chunkSeconds: readonly number[];
  /** As if nothing were cached. */
  readonly estimate: EncodeEstimate;
}

export interface EncodedLadder {
  readonly ladder: string;
  /** Of the longest session (s). */
  readonly mediaSeconds: number;
  /** Length that was encoded (s); longer sessions repeat it. */
  readonly filmSeconds: number;
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
  const input = options.input === undefined ? undefined : await readInput(options.input, ladder, context);
  const wanted = wantedSeconds(options, input?.seconds ?? Infinity);
  const record =
    input === undefined ? undefined : await recordOf(options, ladder, { input, wanted, context });
  if (record !== undefined) await requireOwnName(record, options, context);
  const video: PlayableVideo =
    record === undefined ? { ladder, source: { kind: 'generated' } } : ownVideo(record);
  const profiles = video.own === undefined ? [profileOf(wanted, ladder)] : sessionProfiles;
  const requests = requestsOf(video, profiles);
  const lengths = longest(requests);
  announce({
    ladder: ladder.id,
    ...lengths,
    videoTrack: input === undefined ? null : input.source.track + 1,
    chunkSeconds: requests.map(({ chunkSeconds }) => chunkSeconds),
    estimate: estimateEncode(video.ladder, { ...lengths, source: video.source }, requests.length),
    leftOutSeconds: leftOut(input, lengths.filmSeconds),
    loopedSeconds: loopedSessions(video),
    changes:
      input === undefined || record?.pictures === undefined
        ? []
        : filmChanges(input.facts, record.pictures, {
            ladder: video.ladder,
            isVariable: input.isVariable,
            sound: record.sound,
          }),
  });
  const directories: string[] = [];
  for (const request of requests) directories.push((await prepareAsset(request, context)).directory);
  if (record !== undefined) saveOwnVideo(context.cacheDir, record);
  return {
    ladder: ladder.id,
    ...lengths,
    directories,
    workloads: workloadsOf(video, profiles).map(({ id }) => id),
  };
}

/** One for each chunk length that a session is cut into. */
function requestsOf(video: PlayableVideo, profiles: readonly SessionProfile[]): readonly AssetRequest[] {
  return video.ladder.chunkSeconds.flatMap((chunkSeconds) => {
    const profile = profiles.find((candidate) => chunkLengthsOf(video, candidate).includes(chunkSeconds));
    return profile === undefined ? [] : [assetRequest(video, chunkSeconds, profile)];
  });
}

function longest(requests: readonly AssetRequest[]): Pick<AssetRequest, 'mediaSeconds' | 'filmSeconds'> {
  return {
    mediaSeconds: Math.max(...requests.map(({ mediaSeconds }) => mediaSeconds)),
    filmSeconds: Math.max(...requests.map(({ filmSeconds }) => filmSeconds)),
  };
}

/** An input is looked at no further than the longest session goes, so that of longer ones the length is not known. */
function leftOut(input: InputVideo | undefined, filmSeconds: number): number | null {
  if (input === undefined) return 0;
  return input.seconds >= maxSessionSeconds ? null : input.seconds - filmSeconds;
}

/** Lengths of listed sessions in which an own video begins again (s), shortest first. */
function loopedSessions(video: PlayableVideo): number[] {
  const looped = sessionProfiles.filter((profile) => isLooped(video, profile));
  return [...new Set(looped.map(({ playSeconds }) => playSeconds))].sort((a, b) => a - b);
}

/** A name stands for one video: runs that can be resumed know it by that. */
async function requireOwnName(
  { name, ladder, file, sha256 }: OwnVideo,
  { replace = false }: EncodeLadderOptions,
  { cacheDir }: PrepareContext,
): Promise<void> {
  if (replace) return;
  const earlier = (await readOwnVideos(cacheDir)).find(
    (video) => video.name === name && video.ladder === ladder,
  );
  if (earlier === undefined || earlier.sha256 === sha256) return;
  throw new H2h3Error('usage', `another video is called "${name}" already`, {
    context: { file, expected: `the content of ${earlier.file}`, got: 'another content' },
    next: 'give this one a name with --name, or put it in the place of the other with --replace',
  });
}

interface InputSituation {
  readonly input: InputVideo;
  /** How much of it (s). */
  readonly wanted: number;
  readonly context: PrepareContext;
}

async function recordOf(
  options: EncodeLadderOptions,
  ladder: Ladder,
  { input, wanted, context }: InputSituation,
): Promise<OwnVideo> {
  const { file, sha256, track } = input.source;
  const name = ownVideoName(options.name ?? file);
  const ffmpegPath = await context.ffmpegPath();
  const encoder = await encoderFor(ladder.codec, ffmpegPath, context.signal);
  const pictures = filmPictures(input.facts, await filmAbilities(encoder, ffmpegPath, context.signal));
  const fitted = fittedLadder(ladder, pictures);
  const lengths = filmLengths(ladder, wanted).filter(
    (seconds) => placesKeyframes(encoder) || isSteady(fitted, seconds),
  );
  const mediaSeconds = Math.max(...lengths, 0);
  if (mediaSeconds === 0) throw tooShort(ladder, wanted);
  const sound = await filmSound(input.facts, ladder.codec, { ffmpegPath, signal: context.signal });
  return {
    schemaVersion: 1,
    name,
    ladder: ladder.id,
    file,
    sha256,
    track,
    mediaSeconds,
    pictures,
    ...(sound === undefined ? {} : { sound }),
  };
}

/** The session that plays as many whole GOPs of test pictures as were asked for. */
function profileOf(seconds: number, ladder: Ladder): SessionProfile {
  const wholeGops = Math.floor(seconds / ladder.gopSeconds) * ladder.gopSeconds;
  const listed = sessionProfiles.find(({ playSeconds }) => playSeconds === wholeGops);
  const found = listed ?? sessionProfileNamed(`-${wholeGops}s`);
  if (found === undefined) throw tooShort(ladder, seconds);
  return found;
}

function tooShort(ladder: Ladder, seconds: number): H2h3Error {
  return new H2h3Error('usage', 'the video cannot be encoded at that length', {
    context: { expected: `at least one chunk of ${ladder.gopSeconds} s`, got: `${seconds} s` },
  });
}

const maxSessionSeconds = Math.max(...sessionProfiles.map((profile) => profile.playSeconds));

async function readInput(input: string, ladder: Ladder, context: PrepareContext): Promise<InputVideo> {
  const limits = { minSeconds: Math.min(...ladder.chunkSeconds), maxSeconds: maxSessionSeconds };
  return readInputVideo(resolve(input), await context.ffmpegPath(), limits, context.signal);
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
