import type { Command } from 'commander';
import type { InstalledVersion } from '../../app/versions/versions.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { formatTable } from '../table.ts';
import type { AddCommand, CommandContext } from './command.ts';

const examples = `
Names: nginx@1.26, nginx@1.30, haproxy@3.2, curl@8.21   packages of Debian's suites, unpacked into the tool cache
       caddy@2.10, envoy@1.39                           wheels; Caddy's other versions are built with Go
       nginx@latest                                     the newest that can be had

Examples:
  npx h2h3 servers list --available
  npx h2h3 servers install nginx@1.26 nginx@1.30
  npx h2h3 run download --arms h3+server=nginx@1.26,h3+server=nginx@1.30
  npx h2h3 servers remove nginx@1.26`;

export const addServersCommand: AddCommand = (program, context) => {
  const servers = program
    .command('servers')
    .description('versions of servers and command-line clients: list, install, remove')
    .addHelpText('after', examples);
  addList(servers, context);
  addInstall(servers, context);
  addRemove(servers, context);
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

interface ListFlags {
  readonly available?: boolean;
  readonly verify?: boolean;
  readonly json?: boolean;
}

function addList(servers: Command, context: CommandContext): void {
  servers
    .command('list')
    .description('versions that were fetched by name, and what each name means without a version')
    .option('--available', 'also every version that can be fetched (asks the registries)')
    .option('--verify', 'compare each fetched program with its checksum')
    .option('--json', 'print JSON only')
    .action(async (flags: ListFlags) => {
      const { exactVersionName, listVersions } = await import('../../app/versions/versions.ts');
      const { installed, usual, broken, available } = await listVersions(flags, context);
      context.progress.clear();
      if (flags.json === true) {
        context.print(
          JSON.stringify({ installed, usual, broken, ...(available === null ? {} : { available }) }),
        );
        return;
      }
      context.print(
        formatTable([
          ['name', 'version', 'from', 'size', 'place'],
          ...installed.map((version) => [
            exactVersionName(version),
            version.release,
            version.origin,
            megabytes(version.sizeBytes),
            broken.includes(exactVersionName(version)) ? `BROKEN: ${version.directory}` : version.directory,
          ]),
          ...usual.map(({ id, version, place }) => [id, version, 'used without a version', '', place]),
        ]),
      );
      for (const { id, versions, faults } of available ?? []) {
        context.print(`\navailable of ${id}:`);
        for (const { version, origin } of versions) context.print(`  ${id}@${version}  ${origin}`);
        for (const fault of faults) context.print(`  not asked: ${fault}`);
      }
      if (broken.length > 0)
        throw new H2h3Error('bad-input', `${broken.join(', ')} differs from what was fetched`, {
          next: `npx h2h3 servers remove ${broken.join(' ')}, then install again.`,
        });
    });
}

function addInstall(servers: Command, context: CommandContext): void {
  servers
    .command('install')
    .description('fetch versions, check them, start each server once')
    .argument('<names...>', 'such as nginx@1.26 nginx@1.30 curl@8.21')
    .action(async (specs: string[]) => {
      const { exactVersionName, installVersions } = await import('../../app/versions/versions.ts');
      return installVersions(specs, context, (version) => {
        context.progress.clear();
        context.print(
          `${exactVersionName(version)}: ${version.release} of ${version.origin}, ${megabytes(version.sizeBytes)}, archive ${version.integrity}, program SHA-256 ${version.fileSha256}`,
        );
      });
    });
}

function addRemove(servers: Command, context: CommandContext): void {
  servers
    .command('remove')
    .description('remove fetched versions; nginx@1.30 removes every 1.30')
    .argument('<names...>', 'as npx h2h3 servers list prints them')
    .action(async (specs: string[]) => {
      const { exactVersionName, removeVersions } = await import('../../app/versions/versions.ts');
      return removeVersions(specs, context, (version: InstalledVersion) =>
        context.print(`removed ${exactVersionName(version)} (${megabytes(version.sizeBytes)})`),
      );
    });
}
