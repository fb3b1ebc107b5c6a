/**
 * `npm run sbom && npm run licences`: lists the packages that are shipped by licence, out of the bill of materials. Exit
 * code 1 where one names none, or one under which this package could not be handed on as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

/** SPDX identifiers of licences that ask for no more than that their text goes along. */
const permissive = /^(?:MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BSL-1\.0|BlueOak-1\.0\.0|Zlib|CC0-1\.0)$/;

function licenceOf({ licenses = [] }: Component): string {
  const named = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');
  return named.join(' AND ') || 'none named';
}

function isPermissive(licence: string): boolean {
  return licence.split(/[\s()]+|\bAND\b|\bOR\b/).every((part) => part === '' || permissive.test(part));
}

const file = join(import.meta.dirname, '..', 'h2h3.cdx.json');
const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components: readonly Component[] };
const byLicence = Map.groupBy(components, licenceOf);
for (const [licence, packages] of [...byLicence].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const mark = isPermissive(licence) ? '' : ' (look at these)';
  process.stdout.write(`\n${licence}${mark}: ${packages.length}\n`);
  for (const { group, name, version } of packages)
    process.stdout.write(`  ${group === undefined ? '' : `${group}/`}${name} ${version}\n`);
  if (mark !== '') process.exitCode = 1;
}
