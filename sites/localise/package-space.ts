import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { ifAbsent } from '../../src/core/model/errors.ts';
import type { PageMount, PageSource } from '../pages/page-source.ts';

const suffix = '.package.invalid';

/** A file of a mount. `path` has no leading slash and is not percent-encoded. */
export interface MountedFile {
  readonly mount: string;
  readonly path: string;
}

/** Where a reference leads: a file of the page's packages with the query and anchor it was asked with, or nowhere. */
export interface ResolvedReference extends MountedFile {
  readonly query: string;
  readonly anchor: string;
}

/** Address of a mounted file in the space in which references are resolved. */
export function packageAddress(file: MountedFile): string {
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return `https://${file.mount}${suffix}/${path}`;
}

/** Resolves `reference` found in `from`; null when it leads outside of the page's packages. */
export function resolveReference(
  source: PageSource,
  from: MountedFile,
  reference: string,
): ResolvedReference | null {
  if (!URL.canParse(reference, packageAddress(from))) return null;
  const url = new URL(reference, packageAddress(from));
  if (!url.hostname.endsWith(suffix)) return resolveExternal(source, url);
  return {
    mount: url.hostname.slice(0, -suffix.length),
    path: decodePath(url.pathname.slice(1)),
    query: url.search,
    anchor: url.hash,
  };
}

function resolveExternal(source: PageSource, url: URL): ResolvedReference | null {
  const matches = Object.entries(source.external ?? {}).filter(([prefix]) => url.href.startsWith(prefix));
  const [prefix, target] = matches.sort(([a], [b]) => b.length - a.length)[0] ?? [];
  if (prefix === undefined || target === undefined) return null;
  const colon = target.indexOf(':');
  const isFolder = /[:/]$/.test(target);
  const below = isFolder ? url.href.slice(prefix.length).replace(/[?#].*$/, '') : '';
  const path = decodePath(target.slice(colon + 1) + below);
  return { mount: target.slice(0, colon), path, query: '', anchor: url.hash };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    if (cause instanceof URIError) return path;
    throw cause;
  }
}

/** Reads files of a page's mounts: unpacked packages, joined and replaced files. */
export class PackageSpace {
  private readonly source: PageSource;
  private readonly directories: ReadonlyMap<string, string>;

  /** `directories`: folder of each mount's unpacked package. */
  constructor(source: PageSource, directories: ReadonlyMap<string, string>) {
    this.source = source;
    this.directories = directories;
  }

  /** Content of a file, or null when there is none. */
  async read(file: MountedFile): Promise<Buffer | null> {
    const mount = this.source.mounts[file.mount];
    if (mount === undefined) return null;
    const replaced = file.mount === this.source.own ? this.source.files?.[file.path] : undefined;
    if (replaced !== undefined) return Buffer.from(replaced);
    const parts = mount.joined?.[file.path];
    if (parts === undefined) return this.readPackaged(file.mount, mount, file.path);
    const contents = await Promise.all(parts.map((part) => this.readPackaged(file.mount, mount, part)));
    return contents.every((content) => content !== null) ? Buffer.concat(contents) : null;
  }

  private async readPackaged(name: string, mount: PageMount, path: string): Promise<Buffer | null> {
    const root = this.directories.get(name);
    const relative = normalize(join(mount.directory, path));
    if (root === undefined || relative.startsWith('..')) return null;
    return readFile(join(root, relative)).catch(ifAbsent(null, 'EISDIR', 'ENOTDIR'));
  }
}
