/** SPDX identifiers of licences that ask for no more than that their text goes along. */
const permissive = /^(?:MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BSL-1\.0|BlueOak-1\.0\.0|Zlib|CC0-1\.0)$/;
/** Its files stay under it, and a distributor says where their source is; the files next to them are free (MPL-2.0, 3.2 and 3.3). */
const ofFiles = /^MPL-2\.0$/;

/** What a licence asks of who hands a package on: nothing but its text, the source of its own files, or to be looked at. */
export type LicenceKind = 'permissive' | 'source of its files' | 'to be looked at';
const mildest: readonly LicenceKind[] = ['permissive', 'source of its files', 'to be looked at'];

/** @param licence an SPDX expression of `AND` and `OR`, which binds looser */
export function licenceKind(licence: string): LicenceKind {
  const kindOf = (part: string): LicenceKind => {
    if (permissive.test(part)) return 'permissive';
    return ofFiles.test(part) ? 'source of its files' : 'to be looked at';
  };
  const inner = /\(([^()]*)\)/.exec(licence);
  if (inner !== null)
    return licenceKind(licence.replace(inner[0], representative[licenceKind(inner[1] ?? '')]));
  const worst = (alternative: string): number =>
    Math.max(...alternative.split(/\s+AND\s+/).map((part) => mildest.indexOf(kindOf(part.trim()))));
  return mildest[Math.min(...licence.split(/\s+OR\s+/).map(worst))] ?? 'to be looked at';
}

/** Stands for what was in brackets. */
const representative: Readonly<Record<LicenceKind, string>> = {
  permissive: 'MIT',
  'source of its files': 'MPL-2.0',
  'to be looked at': 'NONE',
};
