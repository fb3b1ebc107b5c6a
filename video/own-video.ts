import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { H2h3Error, hasErrno, messageOf } from '../src/core/model/errors.ts';
import { readInput } from '../src/core/system/read-input.ts';
import { writeWhole } from '../src/core/system/write-whole.ts';
import { makeFolder } from '../src/core/system/storage-error.ts';

/** A video of the user's own that has been encoded as a ladder; kept so that its workloads can be named later. */
const ownVideoSchema = z.object({
  schemaVersion: z.literal(1),
  name: z.string(),
  ladder: z.string(),
  file: z.string(),
  sha256: z.string(),
  /** Which of its video tracks, from 0, attached pictures left out. */
  track: z.number().int().nonnegative().default(0),
  /** Length that was encoded (s): longer sessions repeat it. */
  mediaSeconds: z.number(),
  /** How its pictures are played; absent for one that was fitted into the ladder's own sizes and rate. */
  pictures: z
    .object({
      frameRate: z.string().regex(/^\d+(\/\d+)?$/),
      width: z.number().int().positive(),
      height: z.number().int().positive(),
      bits: z.union([z.literal(8), z.literal(10)]),
      toneMapped: z.boolean(),
    })
    .optional(),
  /** Which of its sound is played; absent for a film without, and for one that was encoded when sound was left out. */
  sound: z
    .object({
      track: z.number().int().nonnegative(),
      codec: z.enum(['aac', 'opus']),
      startSeconds: z.number(),
    })
    .optional(),
});
export type OwnVideo = z.infer<typeof ownVideoSchema>;

function folderOf(cacheDir: string): string {
  return join(cacheDir, 'video', 'own');
}

/** Lower-case letters, digits and dashes of the file's name. @throws H2h3Error `usage` when nothing is left */
export function ownVideoName(file: string): string {
  const name = basename(file, extname(file))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (name !== '') return name;
  throw new H2h3Error('usage', 'the video needs a name of letters or digits', {
    context: { got: basename(file) },
    next: 'give one with --name',
  });
}

export function saveOwnVideo(cacheDir: string, video: OwnVideo): void {
  const folder = folderOf(cacheDir);
  makeFolder(folder);
  const file = join(folder, `${video.ladder}@${video.name}.json`);
  writeWhole(file, `${JSON.stringify(video, null, 1)}\n`);
}

/** Every own video below the cache, by name. @throws H2h3Error `bad-input` for an entry that cannot be read */
export async function readOwnVideos(cacheDir: string): Promise<OwnVideo[]> {
  const folder = folderOf(cacheDir);
  const names = await readdir(folder).catch((thrown: unknown) => {
    if (hasErrno(thrown, 'ENOENT')) return [];
    throw thrown;
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return files.map((name) => readOwnVideo(join(folder, name)));
}

function readOwnVideo(file: string): OwnVideo {
  try {
    return ownVideoSchema.parse(JSON.parse(readInput(file, { what: 'an own video' }).toString('utf8')));
  } catch (thrown) {
    throw new H2h3Error('bad-input', 'the record of an encoded video cannot be read', {
      context: { file, got: messageOf(thrown) },
      next: 'delete the file and encode the video again',
      cause: thrown,
    });
  }
}
