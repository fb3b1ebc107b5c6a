import type { Command } from 'commander';
import { givenPath } from '../../app/given-path.ts';
import type { AddSiteOptions } from '../../app/site/add-site.ts';
import { plural } from '../../app/words.ts';
import { formatTable } from '../table.ts';
import type { AddCommand, CommandContext } from './command.ts';

const examples = `
Examples:
  npx h2h3 sites add soft-ui-dashboard pages/tables.html          then: npx h2h3 run --sites page-soft-ui-dashboard-tables
  npx h2h3 sites add @tabler/preview@1.2.0 invoice.html --root dist --id tabler-invoice
  npx h2h3 sites measure page-agency                              load it again, and write the figures into its file

Both work in a checkout: a page is a file in sites/pages/ and a line in its catalogue.`;

export const addSitesCommand: AddCommand = (program, context) => {
  const sites = program
    .command('sites')
    .description('add a page of an npm package to those that ship, and measure such pages')
    .addHelpText('after', examples);
  addAddCommand(sites, context);
  addMeasureCommand(sites, context);
};

function addAddCommand(sites: Command, context: CommandContext): void {
  sites
    .command('add')
    .description('make a page of an npm package a workload: its file, its line in the catalogue, its figures')
    .argument('<package>', 'an npm package, with or without @version')
    .argument('<page>', 'path of the page in it')
    .option('--id <name>', 'name of the page (default: after package and page)')
    .option('--title <text>', "title in reports (default: the page's own)")
    .option(
      '--root <folder>',
      'folder of the package that is the root of the host (default: the package itself)',
    )
    .option('--client <name>', 'browser that loads it once (default: the best found)')
    .action(
      async (packageSpec: string, page: string, flags: Omit<AddSiteOptions, 'packageSpec' | 'page'>) => {
        const { addSite } = await import('../../app/site/add-site.ts');
        const { workload, files, measured, stripped, missing } = await addSite(
          { ...flags, packageSpec, page },
          context,
        );
        context.progress.clear();
        const { objects, hosts, wireBytes } = measured;
        context.print(
          `${workload}: ${plural(objects, 'object')}, ${plural(wireBytes, 'byte')}, ${plural(hosts, 'host')}`,
        );
        files.forEach((file) => context.print(`written: ${givenPath(file)}`));
        if (stripped.length > 0) {
          context.print(
            `taken out of the page, because its package does not hold them (${stripped.length}):`,
          );
          stripped.forEach((reference) => context.print(`  ${reference}`));
          context.print('  "external" in its file gives those of other hosts a package of their own');
        }
        missing.forEach((address) => context.print(`asked for by the page and not there: ${address}`));
      },
    );
}

function addMeasureCommand(sites: Command, context: CommandContext): void {
  sites
    .command('measure')
    .description('load pages once each over HTTP/2 and write what came into their files')
    .argument('[pages...]', 'pages by name (default: all)')
    .option('--client <name>', 'browser (default: the best found)')
    .option('--json', 'print JSON')
    .action(async (ids: readonly string[], { client, json }: { client?: string; json?: boolean }) => {
      const { measureSites } = await import('../../app/site/measure-sites.ts');
      const measured = await measureSites({ ids, client }, context);
      context.progress.clear();
      if (json === true) return context.print(JSON.stringify({ sites: measured }, null, 1));
      const change = (before: number | undefined, after: number): string =>
        before === after ? String(after) : `${before ?? 0} → ${after}`;
      context.print(
        formatTable([
          ['page', 'objects', 'bytes', 'hosts', 'not there', 'file'],
          ...measured.map(({ id, before, after, missing, changedFile }) => [
            id,
            change(before.objects, after.objects),
            change(before.wireBytes, after.wireBytes),
            change(before.hosts, after.hosts),
            String(missing.length),
            changedFile === null ? 'as it was' : givenPath(changedFile),
          ]),
        ]),
      );
    });
}
