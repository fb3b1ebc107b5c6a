import type { Command } from 'commander';
import type { InstalledBrowser } from '../../app/browsers/browsers.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { formatTable } from '../table.ts';
import type { AddCommand, CommandContext } from './command.ts';
import { wholeNumber } from '../../app/whole-number.ts';

const examples = `
Names: chromium@153, chromium@123.0.1, chromium@stable       headless shells out of npm (Linux on x64)
       chrome@148, chrome@stable|beta|dev|canary             Chrome for Testing
       chrome-headless-shell@148                             its headless shell
       firefox@150.0, firefox@stable|beta|nightly|esr        Firefox
       edge@stable|beta|dev (msedge, msedge-beta, msedge-dev): npx playwright install msedge-beta

Examples:
  npx h2h3 browsers install chromium@123 chromium@138 chromium@153
  npx h2h3 browsers list --available
  npx h2h3 browsers remove chromium@123
  npx h2h3 browsers prune --keep 2`;

export const addBrowsersCommand: AddCommand = (program, context) => {
  const browsers = program
    .command('browsers')
    .description('browser versions: list, install, remove, prune')
    .addHelpText('after', examples);
  addList(browsers, context);
  addInstall(browsers, context);
  addRemove(browsers, context);
  addPrune(browsers, context);
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
interface ListFlags {
  readonly available?: boolean;
  readonly verify?: boolean;
  readonly json?: boolean;
}

function addList(browsers: Command, context: CommandContext): void {
  browsers
    .command('list')
    .description('browsers of this machine and versions that were installed by name')
    .option('--available', 'also every version that can be fetched (asks the npm registry)')
    .option('--verify', 'compare each installed program with its checksum')
    .option('--json', 'print JSON only')
    .action(async (flags: ListFlags) => {
      const { exactName, listBrowsers } = await import('../../app/browsers/browsers.ts');
      const { installed, machine, broken, available } = await listBrowsers(flags, context);
      if (flags.json === true) {
        context.print(
          JSON.stringify({ installed, machine, broken, ...(available === null ? {} : { available }) }),
        );
        return;
      }
      context.print(
        formatTable([
          ['client', 'version', 'build', 'from', 'size', 'program'],
          ...installed.map((browser) => [
            exactName(browser),
            browser.version + (browser.channels.length > 0 ? ` (${browser.channels.join(', ')})` : ''),
            browser.build,
            browser.origin,
            megabytes(browser.sizeBytes),
            broken.includes(exactName(browser))
              ? `BROKEN: ${browser.executablePath}`
              : browser.executablePath,
          ]),
          ...machine.map(({ id, version, build, source, executablePath }) => [
            id,
            version === '' ? 'known after its first launch' : version,
            build,
            source === 'embedded' ? 'npm' : 'this machine',
            '',
            executablePath,
          ]),
        ]),
      );
      for (const { provider, versions } of available ?? [])
        context.print(`\navailable from ${provider}:\n  ${versions.join(' ')}`);
      if (broken.length > 0)
        throw new H2h3Error('bad-input', `${broken.join(', ')} differs from what was installed`, {
          next: `npx h2h3 browsers remove ${broken.join(' ')}, then install again.`,
        });
    });
}

function addInstall(browsers: Command, context: CommandContext): void {
  browsers
    .command('install')
    .description('fetch versions, check them, start each once')
    .argument('<names...>', 'such as chromium@123 chromium@153 firefox@stable')
    .action(async (specs: string[]) => {
      const { exactName, installBrowsers } = await import('../../app/browsers/browsers.ts');
      return installBrowsers(specs, context, (browser) => {
        context.progress.clear();
        context.print(
          `${exactName(browser)}: ${browser.name} ${browser.version} (${browser.build}), ${megabytes(browser.sizeBytes)}, SHA-256 ${browser.executableSha256}`,
        );
        if (browser.integrity === null)
          context.print(
            `  not checked: the index of ${browser.name} has addresses and no digests, so HTTPS alone vouches for ${browser.origin}`,
          );
      });
    });
}

function addRemove(browsers: Command, context: CommandContext): void {
  browsers
    .command('remove')
    .description('remove installed versions; chromium@123 removes every 123')
    .argument('<names...>', 'as npx h2h3 browsers list prints them')
    .action(async (specs: string[]) => {
      const { removeBrowsers } = await import('../../app/browsers/browsers.ts');
      return removeBrowsers(specs, context, await sayRemoved(context));
    });
}

function addPrune(browsers: Command, context: CommandContext): void {
  browsers
    .command('prune')
    .description('remove all but the newest versions of each browser and those that accepted baselines use')
    .option('--keep <n>', 'versions of each browser to keep', '3')
    .option('--results <dir>', 'where accepted baselines are kept', 'results')
    .option('--dry-run', 'only say what would be removed')
    .action(async (flags: { keep: string; results: string; dryRun?: boolean }) => {
      const { exactName, pruneBrowsers } = await import('../../app/browsers/browsers.ts');
      const keep = wholeNumber('keep', flags.keep, 0);
      const options = { keep, resultsDir: flags.results, dryRun: flags.dryRun };
      const { chosen, unfinished } = await pruneBrowsers(options, context, await sayRemoved(context));
      if (unfinished > 0) context.print(`removed ${unfinished} unfinished downloads`);
      if (chosen.length === 0) context.print('nothing to remove');
      else if (flags.dryRun === true)
        chosen.forEach((browser) => context.print(`would remove ${exactName(browser)}`));
    });
}

async function sayRemoved(context: CommandContext): Promise<(browser: InstalledBrowser) => void> {
  const { exactName } = await import('../../app/browsers/browsers.ts');
  return (browser) => context.print(`removed ${exactName(browser)} (${megabytes(browser.sizeBytes)})`);
}
