import { extname } from 'node:path';
import { packageSpec } from '../packages/pinned-package.ts';
import type { PageSource } from '../pages/page-source.ts';
import type { MountedFile } from './package-space.ts';

/** Kinds of objects, in the order in which they are counted. */
export const fileTypes = ['html', 'css', 'js', 'image', 'font', 'json', 'other'] as const;
export type FileType = (typeof fileTypes)[number];

const typesByExtension: Readonly<Record<string, FileType>> = {
  html: 'html',
  htm: 'html',
  css: 'css',
  js: 'js',
  mjs: 'js',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  svg: 'image',
  webp: 'image',
  avif: 'image',
  ico: 'image',
  woff: 'font',
  woff2: 'font',
  ttf: 'font',
  otf: 'font',
  eot: 'font',
  json: 'json',
};

export function typeOfFile(path: string): FileType {
  return typesByExtension[extname(path).slice(1).toLowerCase()] ?? 'other';
}

export interface PlacedFile {
  readonly host: string;
  /** Path under the host's root, without leading slash, not percent-encoded. */
  readonly path: string;
}

/**
 * Host and path a file is served under: the page's own files are split by type, as sites with a static and an image
 * host do; files of other packages come from a host of their own, under `name@version` as script CDNs have it.
 */
export function placeFile(source: PageSource, file: MountedFile): PlacedFile {
  const domain = `${source.id}.h2h3.test`;
  if (file.mount === source.own) {
    const type = typeOfFile(file.path);
    const label = type === 'html' || type === 'json' ? 'www' : type === 'image' ? 'img' : 'static';
    return { host: `${label}.${domain}`, path: file.path };
  }
  const mount = source.mounts[file.mount];
  const folder = mount === undefined ? file.mount : packageSpec(mount.package);
  return { host: `${hostLabel(file.mount)}.${domain}`, path: `${folder}/${file.path}` };
}

/** Mounts called `fonts-lato` and `fonts-inter` share the host `fonts.`. */
function hostLabel(mount: string): string {
  return mount.split('-')[0] ?? mount;
}

/** Absolute address at which a placed file is asked for. */
export function placedAddress(placed: PlacedFile, port: number): string {
  const path = placed.path.split('/').map(encodeURIComponent).join('/');
  return `https://${placed.host}:${port}/${path}`;
}
