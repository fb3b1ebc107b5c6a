import type { AssetRequest } from './encoder/asset.ts';
import { fittedLadder } from './encoder/film-pictures.ts';
import type { VideoSource } from './encoder/source.ts';
import type { Ladder } from './ladders/ladder.ts';
import { ladderNamed } from './ladders/registry.ts';
import type { OwnVideo } from './own-video.ts';
import { generatedFilmSeconds } from './film-length.ts';
import { sessionProfiles } from './session-profiles.ts';
import type { SessionProfile } from './session-profiles.ts';

/** What there is to play: a ladder of generated pictures, or of an own video. */
export interface PlayableVideo {
  readonly ladder: Ladder;
  readonly source: VideoSource;
  /** An own video has a name and is encoded once at this length (s), which longer sessions repeat. */
  readonly own?: { readonly name: string; readonly filmSeconds: number };
}

/** An own video with the frame rate and the shape that it was encoded in. @throws H2h3Error `usage` for a ladder that is gone */
export function ownVideo(record: OwnVideo): PlayableVideo {
  const { name, file, sha256, track, mediaSeconds, pictures, sound } = record;
  const ladder = ladderNamed(record.ladder);
  return {
    ladder: pictures === undefined ? ladder : fittedLadder(ladder, pictures),
    source: {
      kind: 'file',
      file,
      sha256,
      track,
      ...(pictures === undefined ? {} : { pictures }),
      ...(sound === undefined ? {} : { sound }),
    },
    own: { name, filmSeconds: mediaSeconds },
  };
}

/** The part of a workload's name that says what is played. */
export function contentName({ ladder, own }: PlayableVideo): string {
  return own === undefined ? ladder.id : `${ladder.id}@${own.name}`;
}

/** The offered chunk lengths that divide a session, and an own video, which may be shorter than a chunk. */
export function chunkLengthsOf({ ladder, own }: PlayableVideo, profile: SessionProfile): readonly number[] {
  const { playSeconds } = profile;
  return ladder.chunkSeconds.filter(
    (length) => playSeconds % length === 0 && (own === undefined || own.filmSeconds % length === 0),
  );
}

/** Whether an own video is shorter than a session and so begins again in it. */
export function isLooped({ own }: PlayableVideo, { playSeconds }: SessionProfile): boolean {
  return own !== undefined && own.filmSeconds < playSeconds;
}

/** The asset that a session plays: one of an own video serves all its sessions. */
export function assetRequest(
  video: PlayableVideo,
  chunkSeconds: number,
  profile: SessionProfile,
): AssetRequest {
  const { ladder, source, own } = video;
  const profiles = own === undefined ? [profile] : sessionProfiles;
  const playSeconds = profiles
    .map((profile) => profile.playSeconds)
    .filter((seconds) => seconds % chunkSeconds === 0)
    .sort((left, other) => left - other);
  const mediaSeconds = playSeconds.at(-1) ?? 0;
  const filmSeconds =
    own === undefined ? generatedFilmSeconds(ladder, mediaSeconds) : Math.min(own.filmSeconds, mediaSeconds);
  return { ladder, chunkSeconds, source, playSeconds, mediaSeconds, filmSeconds };
}
