import type { Ladder } from '../ladders/ladder.ts';
import { soundWords, type FilmSound } from './film-sound.ts';
import { rateOf, type FilmPictures } from './film-pictures.ts';
import { playedRate, type FilmFacts } from './look-at-film.ts';

const nameOfTracks: Readonly<Record<string, string>> = {
  Audio: 'sound',
  Subtitle: 'subtitles',
  Video: 'further pictures',
  Data: 'data',
  Attachment: 'attachments',
};

export interface ChangeOptions {
  readonly ladder: Ladder;
  readonly isVariable: boolean;
  /** Undefined: none is played. */
  readonly sound: FilmSound | undefined;
}

/** Everything that sessions show otherwise than the file has it, a sentence each. */
export function filmChanges(
  facts: FilmFacts,
  pictures: FilmPictures,
  { ladder, isVariable, sound }: ChangeOptions,
): string[] {
  return [
    ...rateChange(facts, pictures, isVariable),
    ...(facts.turnedDegrees === 0 ? [] : [`It is turned by ${facts.turnedDegrees}°, as its file asks.`]),
    ...(facts.pixelAspect === 1
      ? []
      : [`Its pixels become square: ${facts.width} × ${facts.height} becomes ${sizeOf(pictures)}.`]),
    ...colourChange(facts, pictures),
    ...enlarged(pictures, ladder),
    ...(sound === undefined ? [] : [`Its sound becomes ${soundWords(sound.codec)}.`]),
    ...droppedTracks(facts, sound),
  ];
}

const sizeOf = ({ width, height }: Pick<FilmPictures, 'width' | 'height'>): string => `${width} × ${height}`;

const perSecond = (frameRate: string): string => `${Math.round(rateOf(frameRate) * 1000) / 1000} frames/s`;

function rateChange({ frameRate }: FilmFacts, pictures: FilmPictures, isVariable: boolean): string[] {
  const played = perSecond(pictures.frameRate);
  if (isVariable) return [`Its frame rate varies and becomes constant at ${played}.`];
  return playedRate(frameRate).isKept ? [] : [`Its ${perSecond(frameRate)} become ${played}.`];
}

function colourChange({ bits, isHdr }: FilmFacts, pictures: FilmPictures): string[] {
  if (pictures.toneMapped) return ['Its HDR colours are tone-mapped to SDR with 8 bits.'];
  const fewer = bits > pictures.bits ? [`Its ${bits} bits a colour become ${pictures.bits}.`] : [];
  const pale = isHdr ? ['It looks pale: this ffmpeg lacks zscale, which tone mapping of HDR needs.'] : [];
  return [...pale, ...fewer];
}

function enlarged({ width, height }: FilmPictures, { tracks }: Ladder): string[] {
  const larger = tracks.filter((track) => track.width > width + 1 || track.height > height + 1);
  if (larger.length === 0) return [];
  return [`${larger.length} of ${tracks.length} tracks enlarge it: it has ${width} × ${height} pixels.`];
}

function droppedTracks({ otherTracks }: FilmFacts, sound: FilmSound | undefined): string[] {
  const named = [...otherTracks].map(
    ([kind, count]) => `${nameOfTracks[kind] ?? kind} (${count} ${count === 1 ? 'track' : 'tracks'})`,
  );
  const played =
    sound === undefined ? 'Pictures alone are played' : 'Pictures and one sound track are played';
  return named.length === 0 ? [] : [`${played}. Left out: ${named.join(', ')}.`];
}
