import { fileURLToPath } from 'node:url';
import type {
  NamedPlayer,
  PrepareContext,
  PreparedWorkload,
  SiteRoot,
  Workload,
  WorkloadFacts,
} from '../src/core/model/workload.ts';
import { minPlayedSeconds } from '../src/core/metrics/rare-events.ts';
import type { AbrRule } from './abr/abr-rule.ts';
import { abrRules } from './abr/registry.ts';
import { crossTrafficFile, prepareCrossTraffic } from './cross-traffic-file.ts';
import { videoFolders } from './encoder/content-cache.ts';
import type { Asset } from './encoder/asset.ts';
import { soundKbps } from './encoder/film-sound.ts';
import { manifestFile } from './encoder/manifest.ts';
import { prepareAsset } from './encoder/prepare-asset.ts';
import { soundCodecOf } from './encoder/sound-encode.ts';
import { hasPictureQuality } from './encoder/vmaf.ts';
import { ladders } from './ladders/registry.ts';
import { readOwnVideos } from './own-video.ts';
import { assetRequest, chunkLengthsOf, contentName, isLooped, ownVideo } from './playable-video.ts';
import type { PlayableVideo } from './playable-video.ts';
import {
  broadcastHost,
  mediaHost,
  playerHost,
  playerPage,
  preparePlayerSite,
  relayHost,
} from './player-site.ts';
import type { SessionProfile } from './session-profiles.ts';
import { sessionProfileNamed, sessionProfiles } from './session-profiles.ts';
import { usualDelayMs, usualPartSeconds } from './page/broadcast.ts';
import { sessionQuery, type LiveQuery } from './session-query.ts';
import { moduleFile } from '../src/core/system/module-file.ts';

/** Start of the browser, of the player, and the end of the session. */
const overheadMs = 3000;
/** A session stalls on a slow path; one that needs this many times its play length has failed. */
const deadlineFactor = 4;
const deadlineGraceMs = 30_000;
/** No further requests are awaited: the session ends when the page says so. */
const quietMs = 0;

/** Every ladder × chunk length × ABR rule × session length, by names such as `video-padded-2s-bba`. */
export function videoWorkloads(): readonly Workload[] {
  return ladders().flatMap((ladder) => workloadsOf({ ladder, source: { kind: 'generated' } }));
}

/** The same for what `encodeLadder` has made of own videos, by names such as `video-streaming@holiday-2s-bba`. @throws H2h3Error */
export async function ownVideoWorkloads(cacheDir: string): Promise<readonly Workload[]> {
  const videos = await readOwnVideos(cacheDir);
  return videos.flatMap((video) => workloadsOf(ownVideo(video)));
}

/** Every way to play one video, or those in which sessions are of `profiles`. */
export function workloadsOf(video: PlayableVideo, profiles = sessionProfiles): readonly Workload[] {
  return profiles.flatMap((profile) =>
    chunkLengthsOf(video, profile).flatMap((chunkSeconds) =>
      abrRules
        .filter((rule) => canPlay(rule, video))
        .map((rule) => videoWorkload({ video, chunkSeconds, rule, profile })),
    ),
  );
}

/** Whether the ladder has the track that the rule asks for. */
function canPlay(rule: AbrRule, { ladder }: PlayableVideo): boolean {
  return rule.kind !== 'ours' || (rule.fixedRank ?? 1) <= ladder.tracks.length;
}

/**
 * A workload whose session is none of the listed ones, by the words of `sessionProfileNamed`:
 * `video-padded-2s-bba-180s-2players-cross`. Own videos only in the lengths that were encoded. Undefined for a name that
 * makes no sense.
 */
export function videoWorkloadNamed(id: string): Workload | undefined {
  const [, content = '', chunk = '', rest = ''] = /^video-(.+?)-(\d+)s-(.+)$/.exec(id) ?? [];
  const ladder = ladders().find((ladder) => ladder.id === content);
  const rule = abrRules.find((abrRule) => rest === abrRule.id || rest.startsWith(`${abrRule.id}-`));
  if (ladder === undefined || rule === undefined) return undefined;
  const profile = sessionProfileNamed(rest.slice(rule.id.length));
  const chunkSeconds = Number(chunk);
  const video: PlayableVideo = { ladder, source: { kind: 'generated' } };
  if (profile === undefined || !canPlay(rule, video)) return undefined;
  if (!chunkLengthsOf(video, profile).includes(chunkSeconds)) return undefined;
  return videoWorkload({ video, chunkSeconds, rule, profile });
}

interface Parts {
  readonly video: PlayableVideo;
  readonly chunkSeconds: number;
  readonly rule: AbrRule;
  readonly profile: SessionProfile;
}

function videoWorkload(parts: Parts): Workload {
  const { video, chunkSeconds, rule, profile } = parts;
  const applies = appliedBy(parts);
  return {
    id: `video-${contentName(video)}-${chunkSeconds}s-${rule.id}${profile.suffix}`,
    kind: 'video',
    // What tells most stands first, because tables cut the end; `describe ladders` tells the form of the ladder.
    title: `${filmWords(parts)}, ${chunkSeconds} s chunks, quality: ${rule.title}${sessionWords(profile)}`,
    facts: facts(parts),
    expectedTrialMs: profile.playSeconds * 1000 + overheadMs,
    transfer: { bytes: minBytes(parts), withinMs: profile.playSeconds * 1000 },
    exposure: { playedSeconds: profile.playSeconds },
    ...(applies.length > 0 ? { applies } : {}),
    ...(profile.live ? { isBroadcast: true } : {}),
    ...(isJudgedByViewers(video, profile) ? { decidedBy: 'qoeVmaf' } : {}),
    prepare: (context) => prepare(parts, context),
  };
}

/** Whether pictures of its tracks differ, and a session is long enough to say what viewers see: stalls, changes and quality in one score. */
function isJudgedByViewers({ ladder }: PlayableVideo, { live, playSeconds }: SessionProfile): boolean {
  return hasPictureQuality({ ladder }) && !live && playSeconds >= minPlayedSeconds;
}

/** A broadcast has one manifest, in DASH, a delay that only the packaged player and that of MoQ are told, and parts that come when they have been made. */
function appliedBy(parts: Parts): string[] {
  const { rule, profile } = parts;
  return [
    ...(rule.kind === 'player' && (!profile.live || isRelayed(parts)) ? ['player'] : []),
    ...(profile.live ? [] : ['fault']),
  ];
}

/** What comes over the path in a session whose chunks are all of the track that the rule begins with. */
function minBytes({ video, chunkSeconds, rule, profile }: Parts): number {
  const bitratesKbps = video.ladder.tracks.map((track) => track.bitrateKbps);
  const { bufferTargetSeconds, playSeconds, players, crossDownloads } = profile;
  const start = { previousIndex: null, bufferSeconds: 0, chunkThroughputsKbps: [] };
  const first =
    rule.kind === 'ours'
      ? rule.decide({ ...start, bitratesKbps, bufferTargetSeconds, chunkSeconds }).index
      : 0;
  const kbps = (bitratesKbps[first] ?? 0) * (players + crossDownloads) + heardKbps(video) * players;
  return (kbps * 1000 * playSeconds) / 8;
}

/** Rate of the sound that is played; 0: there is none. */
function heardKbps(video: PlayableVideo): number {
  return soundCodecOf(video) === undefined ? 0 : soundKbps;
}

/** What is played, as a viewer would say: `4K film up to 25 Mbit/s`. */
function filmWords({ video, profile }: Parts): string {
  const {
    ladder: { tracks, codec },
    own,
  } = video;
  const { width = 0, height = 0, bitrateKbps = 0 } = tracks.at(-1) ?? {};
  const resolution = Math.max(width, height) >= 3840 ? '4K' : `${Math.min(width, height)}p`;
  const encoding = codec === 'h264' ? '' : ` ${codec.toUpperCase()}`;
  const numbered = saysNumbers(video) ? 'film with numbered frames' : generatedFilm(video);
  const looped = own !== undefined && isLooped(video, profile) ? `, looped after ${own.filmSeconds} s,` : '';
  const what = own === undefined ? numbered : `film “${own.name}”${looped}`;
  return `${resolution}${encoding} ${what} up to ${bitrateKbps / 1000} Mbit/s`;
}

/** Told apart from the same film without sound. */
const generatedFilm = ({ ladder }: PlayableVideo): string =>
  ladder.sound === undefined ? 'film' : 'film with sound';

function sessionWords(profile: SessionProfile): string {
  const { suffix, playSeconds, players, crossDownloads, live, liveDelayMs } = profile;
  if (suffix === '') return '';
  const parts = [
    ...(live ? [liveDelayMs === usualDelayMs ? 'live' : `live, ${liveDelayMs} ms behind`] : []),
    `${playSeconds} s`,
    ...(players > 1 ? [`${players} players at once`] : []),
    ...(crossDownloads > 0
      ? [`next to ${crossDownloads === 1 ? 'a download' : `${crossDownloads} downloads`}`]
      : []),
  ];
  return `, ${parts.join(', ')}`;
}

function facts({ video, chunkSeconds, profile }: Parts): WorkloadFacts {
  // Chunks and at least one initialisation segment, of sound as well, and the manifest; the player's own files come on top.
  const streams = heardKbps(video) > 0 ? 2 : 1;
  const objectCount = ((profile.playSeconds / chunkSeconds + 1) * streams + 1) * profile.players;
  const hostCount = 1 + profile.players + profile.crossDownloads;
  if (video.source.kind === 'file') return { objectCount, hostCount, source: video.source.file };
  return {
    objectCount,
    hostCount,
    source: 'test pictures generated by ffmpeg (testsrc2)',
    licence: 'none needed: generated',
  };
}

async function prepare(parts: Parts, context: PrepareContext): Promise<PreparedWorkload> {
  const { video, chunkSeconds, rule, profile } = parts;
  const { name, asset } = await prepareAsset(assetRequest(video, chunkSeconds, profile), context);
  if (profile.crossDownloads > 0) await prepareCrossTraffic(context);
  const hosts = hostNames(profile.live ? broadcastHost : mediaHost, profile.players);
  const crossHosts = hostNames('cross.h2h3.test', profile.crossDownloads);
  const { playSeconds, bufferTargetSeconds, startBufferSeconds } = profile;
  const relay = await relayOf(parts, context);
  const query = sessionQuery({
    manifest: profile.live ? name : `${name}/${manifestFile(playSeconds)}`,
    live: liveQuery(parts, asset, relay),
    abr: rule.id,
    chunkSeconds,
    playSeconds,
    bufferTargetSeconds,
    startBufferSeconds,
    soundKbps: asset.sound?.bitrateKbps,
    hosts,
    crossHosts,
    crossFile: crossTrafficFile,
  });
  const mediaHosts = [...hosts, ...crossHosts, ...(relay === undefined ? [] : [relay.host])];
  const { media: directory } = videoFolders(context.cacheDir);
  const workload = videoWorkload(parts);
  return {
    id: workload.id,
    kind: 'video',
    title: workload.title,
    roots: [
      { host: playerHost, directory: await preparePlayerSite(context) },
      ...hosts.map((host) => ({
        host,
        directory,
        needs: [name],
        ...mediaOrigin(parts, directory, context),
      })),
      ...crossHosts.map((host) => ({ host, directory, needs: [crossTrafficFile] })),
      ...(relay === undefined
        ? []
        : [{ host: relay.host, directory, origin: relayOrigin(directory, relay) }]),
    ],
    entry: { host: playerHost, path: `${playerPage}?${query}` },
    driver: 'session',
    quietMs,
    deadlineMs: profile.playSeconds * 1000 * deadlineFactor + deadlineGraceMs,
    loggedHosts: mediaHosts,
    mediaBufferMegabytes: video.ladder.mediaBufferMegabytes,
    ...(context.players === undefined ? {} : { players: exactPlayers(context.players) }),
    ...vmafOf(asset, profile),
    ...picturesOf(asset, video),
    facts: workload.facts,
  };
}

function liveQuery(
  { video, profile }: Parts,
  { partSeconds = usualPartSeconds }: Asset,
  relay: Relay | undefined,
): LiveQuery | undefined {
  if (!profile.live) return undefined;
  return {
    delayMs: profile.liveDelayMs,
    partSeconds,
    numberedPerSecond: saysNumbers(video) ? video.ladder.framesPerSecond : undefined,
    relayHost: relay?.host,
  };
}

/** Whether a relay of MoQ can have the same broadcast: what its player shows is read off the screen. */
const isRelayed = ({ video, profile }: Parts): boolean =>
  profile.live && saysNumbers(video) && profile.players === 1;

interface Relay {
  readonly host: string;
  /** A Python that has the wheels of MoQ. */
  readonly python: string;
}

/** Undefined where no arm plays by MoQ. */
async function relayOf(
  parts: Parts,
  { players = [], moqPython }: PrepareContext,
): Promise<Relay | undefined> {
  const isAsked = players.some(({ exact }) => exact.startsWith('moqwatch@'));
  if (!isAsked || !isRelayed(parts) || moqPython === undefined) return undefined;
  return { host: relayHost, python: await moqPython() };
}

/** The relay, which publishes what lies in `directory`; the server adds where it answers and keeps its log. */
function relayOrigin(directory: string, { host, python }: Relay): NonNullable<SiteRoot['origin']> {
  const script = fileURLToPath(new URL('broadcast/moq_relay.py', import.meta.url));
  return { command: [python, script, directory, host], kind: 'relay' };
}

/** Whether each picture says the number of its frame. Those of an own video are its own. */
const saysNumbers = ({ ladder, source }: PlayableVideo): boolean =>
  ladder.numbersFrames === true && source.kind === 'generated';

/** VMAF by representation, where every track has it. Segments of a broadcast are made anew as it goes on. */
function vmafOf({ tracks, chunkSeconds }: Asset, { live }: SessionProfile): Pick<PreparedWorkload, 'vmaf'> {
  const known = tracks.flatMap(({ representation, segmentVmaf }) =>
    segmentVmaf === undefined ? [] : [[representation, segmentVmaf] as const],
  );
  if (live || known.length === 0 || known.length < tracks.length) return {};
  return { vmaf: { chunkSeconds, segments: Object.fromEntries(known) } };
}

function picturesOf({ tracks }: Asset, { own, ladder }: PlayableVideo): Pick<PreparedWorkload, 'pictures'> {
  if (own === undefined) return {};
  const resolutions = tracks.map(
    ({ representation, width, height }) => [representation, `${width}x${height}`] as const,
  );
  return {
    pictures: { framesPerSecond: ladder.framesPerSecond, resolutions: Object.fromEntries(resolutions) },
  };
}

function exactPlayers(players: readonly NamedPlayer[]): Record<string, string> {
  return Object.fromEntries(players.map(({ name, exact }) => [name, exact]));
}

/**
 * The program that broadcasts what lies in `directory`, or that holds chunks of it back where an arm of the run asks for that;
 * the server adds where it is to listen. Nothing where the server has the files itself.
 */
function mediaOrigin(
  { profile }: Parts,
  directory: string,
  { holdsChunks = false }: PrepareContext,
): Pick<SiteRoot, 'origin'> {
  if (!profile.live && !holdsChunks) return {};
  const program = profile.live ? './broadcast/serve-broadcast.ts' : './serve-held.ts';
  return { origin: { command: [process.execPath, moduleFile(program, import.meta.url), directory] } };
}

/** Each name has a certificate of its own, so each is a connection of its own. */
function hostNames(host: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? host : host.replace('.', `-${index + 1}.`),
  );
}
