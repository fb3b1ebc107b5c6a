import { H2h3Error } from '../../src/core/model/errors.ts';
import type { TrackEncode } from './encode-arguments.ts';
import { progressFrames, runFfmpeg } from './ffmpeg.ts';

/**
 * Decodes an encode from its first frame to its last: what boxes and sizes cannot tell. Segments are cut from it without
 * a byte of the pictures changed, so this holds for all chunk lengths.
 * @throws H2h3Error `process-failed` when a frame is damaged or missing, `unsupported`, `interrupted`
 */
export async function decodeOnce(
  file: string,
  encode: TrackEncode,
  { ffmpegPath, signal }: { readonly ffmpegPath: string; readonly signal: AbortSignal },
  onProgress: (fraction: number) => void,
): Promise<void> {
  const output = await runFfmpeg({
    ffmpegPath,
    args: [
      '-nostdin',
      '-v',
      'error',
      '-xerror',
      '-err_detect',
      'explode',
      '-progress',
      'pipe:1',
      '-i',
      file,
      '-map',
      '0:v:0',
      '-f',
      'null',
      '-',
    ],
    signal,
    totalSeconds: encode.seconds,
    onProgress,
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'process-failed') throw thrown;
    throw unplayable(encode, 'every frame decoded', 'an error of the decoder', thrown);
  });
  const frames = progressFrames(output);
  if (frames !== encode.frames) throw unplayable(encode, `${encode.frames} frames`, `${frames} frames`);
}

function unplayable({ label }: TrackEncode, expected: string, got: string, cause?: H2h3Error): H2h3Error {
  const stderrTail = cause?.context.stderrTail;
  return new H2h3Error('process-failed', `the encode of ${label} cannot be played to its end`, {
    context: { expected, got, ...(stderrTail === undefined ? {} : { stderrTail }) },
    next: 'npx h2h3 doctor says which ffmpeg is used; another one may do',
    ...(cause === undefined ? {} : { cause }),
  });
}
