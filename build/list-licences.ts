/**
 * `npm run sbom && npm run licences`: lists the packages that are shipped by licence, out of the bill of materials. Exit
 * code 1 where one names none, or one under which this package could not be handed on as it is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceKind, type LicenceKind } from './licence-kinds.ts';

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

function licenceOf({ licenses = [] }: Component): string {
  const named = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '');
  return named.join(' AND ') || 'none named';
}

const marks: Readonly<Record<LicenceKind, string>> = {
  permissive: '',
  'source of its files': ' (its files stay under it, and their source is with them or named)',
  'to be looked at': ' (look at these)',
};

const file = join(import.meta.dirname, '..', 'h2h3.cdx.json');
const { components } = JSON.parse(readFileSync(file, 'utf8')) as { components: readonly Component[] };
const byLicence = Map.groupBy(components, licenceOf);
for (const [licence, packages] of [...byLicence].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  const kind = licenceKind(licence);
  process.stdout.write(`\n${licence}${marks[kind]}: ${packages.length}\n`);
  for (const { group, name, version } of packages)
    process.stdout.write(`  ${group === undefined ? '' : `${group}/`}${name} ${version}\n`);
  if (kind === 'to be looked at') process.exitCode = 1;
}
