import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SetupContext } from '../../harness/tools/setup-context.ts';
import { placeProgram, recordingRun, setupContextIn } from './setup-context.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A package that the made-up mirror has; `archive` is what comes, `stated` what its list says of it. */
export interface MirroredPackage {
  readonly name: string;
  readonly release: string;
  readonly suite: string;
  readonly archive?: string;
  readonly stated?: string;
}

const archiveOf = ({ name, release, archive = `${name} ${release}` }: MirroredPackage): string => archive;

/** As `apt-cache madison` and `apt-cache show` print (apt 2.6). */
const madisonOf = (packages: readonly MirroredPackage[]): string =>
  packages
    .map(
      ({ name, release, suite }) =>
        `     ${name} | ${release} | http://mirror.test/debian ${suite}/main amd64 Packages\n`,
    )
    .join('');
const showOf = (packages: readonly MirroredPackage[]): string =>
  packages
    .map((one) =>
      [
        `Package: ${one.name}`,
        `Version: ${one.release}`,
        'Architecture: amd64',
        `SHA256: ${one.stated ?? sha256(archiveOf(one))}`,
        'Description: a program',
        '',
      ].join('\n'),
    )
    .join('\n');

/** A machine of which apt and dpkg-deb are answered for; a tree that is unpacked holds the program `file`. */
export function machineWithMirror(
  folder: string,
  packages: readonly MirroredPackage[],
  file: string,
): { readonly context: SetupContext; readonly lines: readonly string[] } {
  for (const program of ['apt-get', 'dpkg-deb']) placeProgram(path.join(folder, 'bin', program));
  const { run: answer, lines } = recordingRun((line) => {
    if (line.includes('indextargets')) return { stdout: 'Debian http://mirror.test/debian/\n' };
    if (line.includes('madison')) return { stdout: madisonOf(packages) };
    if (line.includes(' show ')) return { stdout: showOf(packages) };
    const unpacked = /^dpkg-deb -x \S+ (\S+)/.exec(line)?.[1];
    if (unpacked !== undefined) placeProgram(path.join(unpacked, file));
    return {};
  });
  const run: SetupContext['run'] = async (program, words, options) => {
    const wanted = packages.find(({ name, release }) => words.includes(`${name}=${release}`));
    const root = path.dirname(options.environment?.['APT_CONFIG'] ?? '');
    if (wanted !== undefined) {
      const archives = path.join(root, 'var/cache/apt/archives');
      mkdirSync(archives, { recursive: true });
      writeFileSync(path.join(archives, `${wanted.name}_${wanted.release}_amd64.deb`), archiveOf(wanted));
    }
    return answer(program, words, options);
  };
  return { context: setupContextIn(folder, { run }), lines };
}

/** Names below a folder of the tool cache. */
export const toolsIn = (context: SetupContext): string[] =>
  readdirSync(path.dirname(context.cache.directoryOf('any'))).toSorted();
