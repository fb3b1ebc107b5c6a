import type { PinnedPackage } from '../packages/pinned-package.ts';

/** A package whose files the page uses. */
export interface PageMount {
  readonly package: PinnedPackage;
  /** Folder inside the package that is the mount's root; empty for the whole package. */
  readonly directory: string;
  /** Style sheets made by joining files of the package: new path → its parts (as a font service does). */
  readonly joined?: Readonly<Record<string, readonly string[]>>;
}

/** A real page out of npm packages, and what has to be done to serve it without the Internet. */
export interface PageSource {
  /** Workload id without `page-`; also the page's domain, `<id>.h2h3.test`. */
  readonly id: string;
  readonly title: string;
  /** Key of `mounts` that holds the page itself; served as `www.`, `static.` and `img.` by type. */
  readonly own: string;
  /** Mounts by name; the name of any other than `own` is its host's first label. */
  readonly mounts: Readonly<Record<string, PageMount>>;
  /** Path of the page in its own mount. */
  readonly entry: string;
  /**
   * Beginnings of addresses on other hosts → `mount:path`; the longest match wins, what is not named is stripped. A
   * target that ends in `:` or `/` is a folder, to which the rest of the address is added; any other is one file.
   */
  readonly external?: Readonly<Record<string, string>>;
  /** Files of the own mount that are added or replaced: path → text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Inline scripts that are removed: beacons of hosts that are not served. */
  readonly removedScripts?: RegExp;
  /** Files that scripts ask for by an address relative to the page; served from the page's own host. */
  readonly askedByScripts?: readonly string[];
  /** One load as measured with the pinned versions (an end-to-end test holds it). */
  readonly measured: PageMeasure;
}

export interface PageMeasure {
  readonly objects: number;
  readonly hosts: number;
  /** Encoded body bytes as sent to a browser. */
  readonly wireBytes: number;
  /** Objects by type: html, css, js, image, font, json, other. */
  readonly types: Readonly<Record<string, number>>;
}
