import type { AssetRequest } from './encoder/asset.ts';
import type { VideoSource } from './encoder/source.ts';
import type { Ladder } from './ladders/ladder.ts';
import { profilesWithin, sessionProfiles } from './session-profiles.ts';
import type { SessionProfile } from './session-profiles.ts';

/** What there is to play: a ladder of generated pictures, or of an own video. */
export interface PlayableVideo {
  readonly ladder: Ladder;
  readonly source: VideoSource;
  /** An own video has a name and is encoded once at this length (s); pictures are generated as long as each session. */
  readonly own?: { readonly name: string; readonly mediaSeconds: number };
}

/** The part of a workload's name that says what is played. */
export function contentName({ ladder, own }: PlayableVideo): string {
  return own === undefined ? ladder.id : `${ladder.id}@${own.name}`;
}

export function profilesOf({ ladder, own }: PlayableVideo): readonly SessionProfile[] {
  return own === undefined ? sessionProfiles : profilesWithin(own.mediaSeconds, ladder.gopSeconds);
}

/** The offered chunk lengths that divide a session. */
export function chunkLengthsOf({ ladder }: PlayableVideo, profile: SessionProfile): readonly number[] {
  return ladder.chunkSeconds.filter((length) => profile.playSeconds % length === 0);
}

/** The asset that a session plays: one of an own video serves all its sessions. */
export function assetRequest(
  video: PlayableVideo,
  chunkSeconds: number,
  profile: SessionProfile,
): AssetRequest {
  const { ladder, source, own } = video;
  const profiles = own === undefined ? [profile] : profilesOf(video);
  const playSeconds = profiles
    .map((profile) => profile.playSeconds)
    .filter((seconds) => seconds % chunkSeconds === 0)
    .sort((left, other) => left - other);
  return { ladder, chunkSeconds, source, playSeconds, mediaSeconds: playSeconds.at(-1) ?? 0 };
}
