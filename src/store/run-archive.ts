import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, extname, join } from 'node:path';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { H2h3Error, messageOf } from '../core/model/errors.ts';
import { readInput } from '../core/system/read-input.ts';
import { storageError } from '../core/system/storage-error.ts';
import { partialOf } from '../core/system/write-whole.ts';
import { zipEntries } from '../core/system/zip-entries.ts';
import { isLeftover } from './leftovers.ts';
import { pathInside } from './path-inside.ts';

/** Digests of all other files, in the form that `sha256sum --check` reads. */
export const digestsFile = 'SHA256SUMS';

/** What a run directory has of its own; anything else somebody put there. */
const ownFiles = [
  /^(?:plan|environment|summary|chat)\.json$/,
  /^journal\.jsonl$/,
  /^report\.(?:html|md)$/,
  /^report\/[\w.-]+\.html$/,
  /^(?:observations|comparisons)\.csv$/,
  /^junit\.xml$/,
  /^card\.(?:svg|png)$/,
  /^(?:gate|budgets)\.(?:json|md|junit\.xml)$/,
  // Data and pictures only: nothing that anything would start.
  /^trials(?:\/[^./][^/]*)+\.(?:json|jsonl|gz|jpg|png|webp|pcapng|log|txt|csv)$/,
  /^har(?:\/[^./][^/]*)+\.har(?:\.gz)?$/,
  /^film\/[^./][^/]*\.(?:webm|webp)$/,
];

/** What packing adds. */
const addedFiles =
  /^(?:LICENSE|CITATION\.cff|README\.md|programs\.json|ro-crate-metadata\.json|(?:observations|comparisons)\.csv-metadata\.json)$/;

/** Folders that lead to files of a run. */
const ownFolders = /^(?:trials|har|report|film)(?:\/[^./][^/]*)*$/;

const isOfRun = (name: string): boolean => ownFiles.some((form) => form.test(name));

/** Packed already: to deflate them again takes time and saves nothing. */
const packedForms = new Set(['.gz', '.png', '.webp', '.jpg', '.mp4', '.webm']);

const largestArchiveBytes = 1024 ** 3;
const largestContentBytes = 2 * 1024 ** 3;
const maxFiles = 200_000;

export interface ArchiveFile {
  /** Path in the archive, with slashes. */
  readonly name: string;
  readonly read: () => Uint8Array;
}

export interface FoundFiles {
  readonly files: readonly ArchiveFile[];
  /** Top-level names that are not of a run, or no regular files. */
  readonly leftOut: readonly string[];
}

export const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * The files of a run directory, by name. What a user put next to them and symbolic links stay out.
 *
 * @param options.withPacked takes also what packing adds: of the folder of an archive
 */
export function filesOfRun(
  path: string,
  { withPacked = false }: { readonly withPacked?: boolean } = {},
): FoundFiles {
  const isTaken = (name: string): boolean => isOfRun(name) || (withPacked && addedFiles.test(name));
  const files: string[] = [];
  const leftOut: string[] = [];
  const look = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const name = prefix + entry.name;
      if (isLeftover(folder, entry)) continue;
      if (entry.isDirectory() && ownFolders.test(name)) look(join(folder, entry.name), `${name}/`);
      else if (entry.isFile() && isTaken(name)) files.push(name);
      else leftOut.push(name);
    }
  };
  look(path, '');
  return {
    files: files
      .sort()
      .map((name) => ({ name, read: () => readInput(join(path, name), { followLink: false }) })),
    leftOut: leftOut.filter((name) => name !== 'run.lock').sort(),
  };
}

/** What is known of a file when it has been packed. */
export interface PackedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Told of each file with its content, before the next is asked for. */
export type SeePacked = (file: PackedFile, content: Uint8Array) => Promise<void>;

/**
 * Writes an archive of these files and their digests; each is read once. The same files give the same bytes, because no time of
 * day is in it. Files may be asked for as late as when those before them are packed.
 *
 * @param see may refuse a file by throwing; nothing is left then
 * @returns its size in bytes
 * @throws H2h3Error `storage`
 */
export async function writeRunArchive(
  out: string,
  files: Iterable<ArchiveFile>,
  see: SeePacked = () => Promise.resolve(),
): Promise<number> {
  const partial = partialOf(out);
  try {
    const descriptor = openSync(partial, 'wx');
    try {
      await writeZip(files, see, (chunk) => void writeSync(descriptor, chunk));
    } finally {
      closeSync(descriptor);
    }
    renameSync(partial, out);
    return lstatSync(out).size;
  } catch (thrown) {
    rmSync(partial, { force: true });
    throw thrown instanceof H2h3Error ? thrown : storageError(thrown, out);
  }
}

async function writeZip(
  files: Iterable<ArchiveFile>,
  see: SeePacked,
  write: (chunk: Uint8Array) => void,
): Promise<void> {
  const zip = new Zip((thrown, chunk) => {
    if (thrown !== null) throw thrown;
    write(chunk);
  });
  const digests: string[] = [];
  const add = (name: string, content: Uint8Array): void => {
    const entry = packedForms.has(extname(name))
      ? new ZipPassThrough(name)
      : new ZipDeflate(name, { level: 6 });
    entry.mtime = new Date(1980, 0, 1);
    zip.add(entry);
    entry.push(content, true);
  };
  for (const { name, read } of files) {
    const content = read();
    const sha256 = sha256Of(content);
    digests.push(`${sha256}  ${name}\n`);
    await see({ name, sizeBytes: content.length, sha256 }, content);
    add(name, content);
  }
  add(digestsFile, Buffer.from(digests.join('')));
  zip.end();
}

function refused(file: string, reason: string): H2h3Error {
  return new H2h3Error('bad-input', `${file} is no archive of a run that can be trusted: ${reason}`, {
    context: { file },
    next: 'Ask for it again. `npx h2h3 pack DIR --out FILE.zip` makes one.',
  });
}

/** A name that leads into the folder that it is unpacked into, on any system. */
function isSafeName(name: string): boolean {
  if (name === '' || name.startsWith('/') || /[\\:\0]/.test(name)) return false;
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/**
 * The files of an archive, each with the digest that it was packed with.
 *
 * @throws H2h3Error `bad-input` for one that is cut, changed, too large, or whose names lead elsewhere
 */
export function readRunArchive(file: string): ReadonlyMap<string, Uint8Array> {
  const content = readInput(file, { what: 'an archive of a run', limitBytes: largestArchiveBytes });
  const allow = (name: string): void => {
    const inFolder = name.replace(/\/$/, '');
    if (!isSafeName(inFolder)) throw refused(file, `the name ${JSON.stringify(name)} leads out of it`);
    if (inFolder === name && !isOfRun(name) && !addedFiles.test(name) && name !== digestsFile)
      throw refused(file, `${JSON.stringify(name)} is no file that \`pack\` writes`);
  };
  let files: Map<string, Uint8Array>;
  try {
    const entries = zipEntries(content, { maxFiles, maxBytes: largestContentBytes }, allow);
    files = new Map(entries.map(({ name, read }) => [name, read()]));
  } catch (thrown) {
    throw thrown instanceof H2h3Error ? thrown : refused(file, messageOf(thrown));
  }
  requireDigests(file, files);
  files.delete(digestsFile);
  return files;
}

function requireDigests(file: string, files: ReadonlyMap<string, Uint8Array>): void {
  const list = files.get(digestsFile);
  if (list === undefined) throw refused(file, `it has no ${digestsFile}`);
  const lines = Buffer.from(list).toString('utf8').split('\n').filter(Boolean);
  const digests = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const changed = [...files].filter(
    ([name, content]) => name !== digestsFile && digests.get(name) !== sha256Of(content),
  );
  const missing = [...digests.keys()].filter((name) => !files.has(name));
  const faults = [
    ...changed.map(([name]) => `${name} was changed`),
    ...missing.map((name) => `${name} is missing`),
  ];
  if (faults.length > 0) throw refused(file, faults.slice(0, 5).join(', '));
}

/** Writes what an archive holds into a folder. @throws H2h3Error `bad-input`, `storage` */
export function unpackInto(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [name, content] of files) {
    const target = pathInside(folder, ...name.split('/'));
    try {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content, { flag: 'wx' });
    } catch (thrown) {
      throw storageError(thrown, target);
    }
  }
}
