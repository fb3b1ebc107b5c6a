import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFfmpeg } from '../../../video/encoder/ffmpeg.ts';
import { makeTemporary } from '../../core/system/temporary-folder.ts';

/** A load as it was seen: the files of its pictures, each with the moment at which it was painted. */
export interface FilmedLoad {
  readonly title: string;
  readonly frames: readonly { readonly tMs: number; readonly file: string }[];
}

export interface FilmRequest {
  readonly ffmpegPath: string;
  readonly loads: readonly FilmedLoad[];
  /** Where WebM and WebP go. */
  readonly webm: string;
  readonly webp: string;
}

const widthPx = 400;
const framesPerSecond = 20;
/** WebP is for comments: smaller, fewer pictures. */
const webpFramesPerSecond = 8;
const webpWidthPx = 560;
/** The last picture stands this long. */
const restMs = 1000;
/** Longer loads end here. */
const maxMs = 20_000;

/** A frame that is another format by its bytes, such as a playlist, could name files that are no part of the run. */
const pictureFormats = 'concat,image2,jpeg_pipe,png_pipe,webp_pipe';

/** The picture of each stretch of time for ffmpeg's concat demuxer; the first stands from navigation start on. */
function listOf({ frames }: FilmedLoad, endMs: number): string {
  const kept = frames.filter(({ tMs }, i) => i === 0 || tMs < endMs);
  const lines = kept.flatMap(({ tMs, file }, i) => {
    const startMs = i === 0 ? 0 : tMs;
    const nextMs = kept[i + 1]?.tMs ?? endMs;
    const seconds = Math.max(0.001, (nextMs - startMs) / 1000);
    return [`file '${file.replaceAll("'", String.raw`'\''`)}'`, `duration ${seconds.toFixed(3)}`];
  });
  const last = kept.at(-1);
  // The demuxer forgets the last duration unless the picture is named again.
  return [
    'ffconcat version 1.0',
    ...lines,
    ...(last ? [`file '${last.file.replaceAll("'", String.raw`'\''`)}'`] : []),
    '',
  ].join('\n');
}

/** Text that means nothing to ffmpeg's filters. */
function filterText(text: string): string {
  return text.replace(/[^\p{L}\p{N} ./+-]/gu, ' ');
}

function column(title: string, index: number): string {
  const scale = `fps=${framesPerSecond},scale=${widthPx}:-2,setsar=1`;
  const label = `drawtext=text='${filterText(title)}':x=10:y=8:fontsize=18:fontcolor=white`;
  const clock = String.raw`drawtext=text='%{eif\:t*1000\:d} ms':x=w-tw-10:y=8:fontsize=18:fontcolor=white`;
  return `[${index}:v]${scale},pad=iw:ih+36:0:36:color=0x16202c,${label},${clock}[c${index}]`;
}

/**
 * Both loads side by side on one clock, at the true pace: WebM by VP9 and an animated WebP.
 * @throws H2h3Error when ffmpeg is missing or fails, such as where the system has no font.
 */
export async function makeFilm({ ffmpegPath, loads, webm, webp }: FilmRequest): Promise<void> {
  const lastMs = Math.max(...loads.flatMap(({ frames }) => frames.map(({ tMs }) => tMs)));
  const endMs = Math.min(maxMs, lastMs + restMs);
  const folder = makeTemporary('film');
  try {
    const inputs = loads.flatMap((load, i) => {
      const list = join(folder, `${i}.txt`);
      writeFileSync(list, listOf(load, endMs));
      return ['-format_whitelist', pictureFormats, '-f', 'concat', '-safe', '0', '-i', list];
    });
    const stacked = `${loads.map((_, i) => `[c${i}]`).join('')}hstack=inputs=${loads.length},split[full][small]`;
    const small = `[small]fps=${webpFramesPerSecond},scale=${webpWidthPx}:-2[webp]`;
    const filter = [...loads.map(({ title }, i) => column(title, i)), stacked, small].join(';');
    await runFfmpeg({
      ffmpegPath,
      signal: new AbortController().signal,
      args: [
        '-v',
        'error',
        '-y',
        ...inputs,
        '-filter_complex',
        filter,
        '-map',
        '[full]',
        '-t',
        `${endMs / 1000}`,
        '-c:v',
        'libvpx-vp9',
        '-crf',
        '36',
        '-b:v',
        '0',
        '-deadline',
        'realtime',
        '-cpu-used',
        '8',
        '-f',
        'webm',
        webm,
        '-map',
        '[webp]',
        '-t',
        `${endMs / 1000}`,
        '-c:v',
        'libwebp_anim',
        '-quality',
        '55',
        '-loop',
        '0',
        '-f',
        'webp',
        webp,
      ],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
