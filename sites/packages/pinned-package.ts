/** A version of an npm package, pinned by the hash of its tarball. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource-integrity form (`sha512-…`) of the tarball, as the registry states it. */
  readonly integrity: string;
  /** Licence of the content, as an SPDX identifier. */
  readonly licence: string;
}

export function packageSpec(pinned: PinnedPackage): string {
  return `${pinned.name}@${pinned.version}`;
}
