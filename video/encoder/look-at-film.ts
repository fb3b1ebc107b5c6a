import { runFfmpeg, runToEnd } from './ffmpeg.ts';
import type { FilmPictures } from './film-pictures.ts';
import { rateOf } from './film-pictures.ts';
import { filmTrack, type FilmTrack } from './film-track.ts';

/** What ffmpeg says of a video file and of its first picture. */
export interface FilmFacts {
  /** As the container has it, such as `30000/1001`. */
  readonly frameRate: string;
  /** One unit of the times of its frames (s). */
  readonly tickSeconds: number;
  readonly width: number;
  readonly height: number;
  /** Width of a pixel by its height. */
  readonly pixelAspect: number;
  readonly bits: number;
  readonly isHdr: boolean;
  /** By how much it is turned for the screen, in degrees; 0: not at all. */
  readonly turnedDegrees: number;
  /** When its first picture is shown, by its own clock (s). */
  readonly startSeconds: number;
  /** The first sound track that ffmpeg can decode, from 0; undefined: there is none. */
  readonly soundTrack: number | undefined;
  /** Tracks of each kind, such as `Audio`, that are neither the pictures nor the sound. */
  readonly otherTracks: ReadonlyMap<string, number>;
}

/** The log of a track's first frame: the only account of a file that every ffmpeg gives, with or without ffprobe. @throws H2h3Error */
export async function lookAtFilm(
  { file, track }: FilmTrack,
  ffmpegPath: string,
  signal: AbortSignal,
): Promise<FilmFacts> {
  const options = ['-map', filmTrack(0, track), '-vf', 'showinfo', '-frames:v', '1', '-f', 'null', '-'];
  const args = ['-hide_banner', '-nostdin', '-nostats', '-v', 'info', '-i', file, ...options];
  return filmFacts((await runToEnd({ ffmpegPath, args, signal })).stderr);
}

const hdrTransfers = /color_trc:(?:smpte2084|arib-std-b67)/;

/** Exported for its test. */
export function filmFacts(log: string): FilmFacts {
  const [, ticks = '1', perSecond = '1000', frameRate = ''] =
    /config in time_base: (\d+)\/(\d+), frame_rate: (\d+\/\d+)/.exec(log) ?? [];
  const [, format = '', across = '1', up = '1', width = '0', height = '0'] =
    / fmt:(\S+) .*?sar:(\d+)\/(\d+) s:(\d+)x(\d+)/.exec(log) ?? [];
  const turned = /display ?matrix: rotation of (-?[\d.]+)/i.exec(log)?.[1] ?? '0';
  const input = log.split(/^(?:Stream mapping|Output #)/m)[0] ?? '';
  const kinds = [...input.matchAll(/^\s*Stream #0:\d+.*?: (Video|Audio|Subtitle|Data|Attachment): (.*)$/gm)];
  const films = kinds.filter(([, kind, rest = '']) => kind === 'Video' && !rest.includes('(attached pic)'));
  const sounds = kinds.filter(([, kind]) => kind === 'Audio');
  const sound = sounds.findIndex(([, , rest = '']) => !rest.startsWith('none') && / Hz\b/.test(rest));
  const others = kinds.filter((track) => track[1] !== 'Video' && track !== sounds[sound]);
  return {
    frameRate,
    tickSeconds: Number(ticks) / Number(perSecond),
    width: Number(width),
    height: Number(height),
    // 0/1 stands for unknown, which every player takes for square.
    pixelAspect: Number(across) / Number(up) || 1,
    bits: Number(/(\d\d)(?:le|be)$/.exec(format)?.[1] ?? 8),
    isHdr: hdrTransfers.test(log),
    turnedDegrees: Math.round(Number(turned)),
    // A frame without a time is shown at once.
    startSeconds: Number(/ pts_time:(\S+)/.exec(log)?.[1]) || 0,
    soundTrack: sound === -1 ? undefined : sound,
    otherTracks: countOf([...others.map(([, kind = '']) => kind), ...films.slice(1).map(() => 'Video')]),
  };
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...new Set(names)].map((name) => [name, names.filter((other) => other === name).length]));
}

/**
 * Rates that films are made at. Each is whole or a whole one over 1.001, so that a film that is played again and again stays in step
 * with chunks of whole seconds.
 */
const rates = [
  '10',
  '12',
  '15',
  '20',
  '24000/1001',
  '24',
  '25',
  '30000/1001',
  '30',
  '48',
  '50',
  '60000/1001',
  '60',
];
/** Containers that count milliseconds tell 29.97 as 29.97003. */
const sameRateShare = 1e-4;

/** The rate at which a film is played: its own, or the nearest that films are made at. */
export function playedRate(frameRate: string): { readonly rate: string; readonly isKept: boolean } {
  const own = rateOf(frameRate);
  const off = (rate: string): number => Math.abs(rateOf(rate) / own - 1);
  const [nearest = '30'] = rates.toSorted((rate, other) => off(rate) - off(other));
  return { rate: nearest, isKept: off(nearest) < sameRateShare };
}

export interface FilmAbilities {
  /** The encoder of the ladder's codec takes 10 bits, and browsers play them. */
  readonly tenBits: boolean;
  /** This ffmpeg can bring HDR to ordinary screens. */
  readonly toneMapping: boolean;
}

export async function filmAbilities(
  encoder: string,
  ffmpegPath: string,
  signal: AbortSignal,
): Promise<FilmAbilities> {
  const help = await runFfmpeg({ ffmpegPath, args: ['-v', 'error', '-h', `encoder=${encoder}`], signal });
  const filters = await runFfmpeg({ ffmpegPath, args: ['-v', 'error', '-filters'], signal });
  return {
    // Not every browser decodes H.264 of 10 bits.
    tenBits: encoder !== 'libx264' && /pixel formats:.*\byuv420p10le\b/.test(help),
    toneMapping: / zscale /.test(filters) && / tonemap /.test(filters),
  };
}

export function filmPictures(facts: FilmFacts, can: FilmAbilities): FilmPictures {
  return {
    frameRate: playedRate(facts.frameRate).rate,
    width: Math.round(facts.width * facts.pixelAspect),
    height: facts.height,
    bits: facts.bits > 8 && !facts.isHdr && can.tenBits ? 10 : 8,
    toneMapped: facts.isHdr && can.toneMapping,
  };
}
