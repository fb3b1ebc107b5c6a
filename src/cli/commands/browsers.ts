import type { Command } from 'commander';
import { isVersion, parseVersionedName, type VersionedName } from '../../../harness/clients/client-name.ts';
import { installBrowser } from '../../../harness/clients/install-browser.ts';
import {
  isNamed,
  listInstalled,
  removeAbandoned,
  removeInstalled,
  type InstalledBrowser,
} from '../../../harness/clients/installed-browsers.ts';
import { listClients } from '../../../harness/clients/list-clients.ts';
import { browserProviders } from '../../../harness/clients/browsers/providers/registry.ts';
import { digestOf } from '../../../harness/clients/browsers/providers/npm-registry.ts';
import { chooseForPruning } from '../../../harness/clients/prune-browsers.ts';
import { H2h3Error, messageOf } from '../../model/errors.ts';
import { readBaselines } from '../../store/baselines.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

const examples = `
Names: chromium@153, chromium@123.0.1, chromium@stable       headless shells out of npm (Linux on x64)
       chrome@148, chrome@stable|beta|dev|canary             Chrome for Testing
       chrome-headless-shell@148                             its headless shell
       firefox@150.0, firefox@stable|beta|nightly|esr        Firefox
       edge@stable|beta|dev (msedge, msedge-beta, msedge-dev): npx playwright install msedge-beta

Examples:
  h2h3 browsers install chromium@123 chromium@138 chromium@153
  h2h3 browsers list --available
  h2h3 browsers remove chromium@123
  h2h3 browsers prune --keep 2`;

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
const exactName = ({ browser, release }: InstalledBrowser): string => `${browser}@${release}`;

/** @throws H2h3Error `usage` for a name without a version. */
function versionedName(spec: string): VersionedName {
  const name = parseVersionedName(spec);
  if (name !== undefined) return name;
  throw new H2h3Error('usage', `"${spec}" names no version`, {
    context: { expected: 'such as chromium@153, chrome@stable, firefox@beta', got: spec },
  });
}

interface ListFlags {
  readonly available?: boolean;
  readonly verify?: boolean;
  readonly json?: boolean;
}

function addList(browsers: Command, context: AppContext): void {
  browsers
    .command('list')
    .description('browsers of this machine and versions that were installed by name')
    .option('--available', 'also every version that can be fetched (asks the npm registry)')
    .option('--verify', 'compare each installed program with its checksum')
    .option('--json', 'print JSON only')
    .action(async (flags: ListFlags) => {
      const setup = await setupContextOf(context);
      const installed = await listInstalled(setup);
      const machine = (await listClients(setup)).flatMap(({ found }) => found ?? []);
      const available = flags.available === true ? await availableVersions(setup) : undefined;
      const broken = flags.verify === true ? await brokenOf(installed) : [];
      if (flags.json === true) {
        context.print(JSON.stringify({ installed, machine, broken, ...(available ? { available } : {}) }));
        return;
      }
      context.print(
        formatTable([
          ['client', 'version', 'build', 'from', 'size', 'program'],
          ...installed.map((one) => [
            exactName(one),
            one.version + (one.channels.length > 0 ? ` (${one.channels.join(', ')})` : ''),
            one.build,
            one.origin,
            megabytes(one.sizeBytes),
            broken.includes(exactName(one)) ? `BROKEN: ${one.executablePath}` : one.executablePath,
          ]),
          ...machine.map(({ id, version, build, source, executablePath }) => [
            ...[id, version === '' ? 'known after its first launch' : version, build],
            ...[source === 'embedded' ? 'npm ci' : 'this machine', '', executablePath],
          ]),
        ]),
      );
      for (const { provider, versions } of available ?? [])
        context.print(`\navailable from ${provider}:\n  ${versions.join(' ')}`);
      if (broken.length > 0)
        throw new H2h3Error('bad-input', `${broken.join(', ')} differs from what was installed`, {
          next: `h2h3 browsers remove ${broken.join(' ')}, then install again.`,
        });
    });
}

async function brokenOf(installed: readonly InstalledBrowser[]): Promise<string[]> {
  const broken: string[] = [];
  for (const one of installed)
    if ((await digestOf(one.executablePath, 'sha256', 'hex')) !== one.executableSha256)
      broken.push(exactName(one));
  return broken;
}

async function availableVersions(
  setup: Awaited<ReturnType<typeof setupContextOf>>,
): Promise<{ provider: string; versions: readonly string[] }[]> {
  const lists = [];
  for (const { title, browsers, download } of browserProviders) {
    const versions = await download?.available?.(setup);
    if (versions === undefined) continue;
    lists.push({ provider: title, versions: versions.map((version) => `${browsers[0] ?? ''}@${version}`) });
  }
  return lists;
}

function addInstall(browsers: Command, context: AppContext): void {
  browsers
    .command('install')
    .description('fetch versions, check them, start each once')
    .argument('<names...>', 'such as chromium@123 chromium@153 firefox@stable')
    .action(async (specs: string[]) => {
      const names = specs.map(versionedName);
      const setup = await setupContextOf(context);
      const faults: H2h3Error[] = [];
      for (const name of names) {
        try {
          const one = await installBrowser(name, setup);
          context.progress.clear();
          context.print(
            `${exactName(one)}: ${one.name} ${one.version} (${one.build}), ${megabytes(one.sizeBytes)}, SHA-256 ${one.executableSha256}`,
          );
        } catch (thrown) {
          if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted' || names.length === 1)
            throw thrown;
          context.progress.say(`${messageOf(thrown)}${thrown.next === undefined ? '' : `. ${thrown.next}`}`);
          faults.push(thrown);
        }
      }
      const [first] = faults;
      if (first !== undefined)
        throw new H2h3Error(first.code, `${faults.length} of ${names.length} versions were not installed`, {
          cause: first,
        });
    });
}

function addRemove(browsers: Command, context: AppContext): void {
  browsers
    .command('remove')
    .description('remove installed versions; chromium@123 removes every 123')
    .argument('<names...>', 'as h2h3 browsers list prints them')
    .action(async (specs: string[]) => {
      const setup = await setupContextOf(context);
      const installed = await listInstalled(setup);
      const doomed = specs.map(versionedName).flatMap((name) => {
        const named = installed.filter((one) => isNamed(one, name));
        if (named.length > 0) return named;
        const which = isVersion(name.wanted) ? 'version' : 'channel';
        throw new H2h3Error('usage', `No installed ${name.browser} has the ${which} ${name.wanted}`, {
          context: { expected: installed.map(exactName).join(', ') || 'nothing is installed' },
        });
      });
      await removeAll([...new Set(doomed)], context);
    });
}

function addPrune(browsers: Command, context: AppContext): void {
  browsers
    .command('prune')
    .description('remove all but the newest versions of each browser and those that accepted baselines use')
    .option('--keep <n>', 'versions of each browser to keep', '3')
    .option('--results <dir>', 'where accepted baselines are kept', 'results')
    .option('--dry-run', 'only say what would be removed')
    .action(async (flags: { keep: string; results: string; dryRun?: boolean }) => {
      const keep = Number(flags.keep);
      if (!Number.isInteger(keep) || keep < 0)
        throw new H2h3Error('usage', `--keep wants a whole number, got "${flags.keep}"`);
      const setup = await setupContextOf(context);
      const used = readBaselines(flags.results).flatMap(({ client }) => parseVersionedName(client) ?? []);
      const doomed = chooseForPruning(await listInstalled(setup), keep, used);
      const partials = flags.dryRun === true ? 0 : await removeAbandoned(setup);
      if (partials > 0) context.print(`removed ${partials} unfinished downloads`);
      if (doomed.length === 0) context.print('nothing to remove');
      else if (flags.dryRun === true)
        doomed.forEach((one) => context.print(`would remove ${exactName(one)}`));
      else await removeAll(doomed, context);
    });
}

async function removeAll(doomed: readonly InstalledBrowser[], context: AppContext): Promise<void> {
  for (const one of doomed) {
    await removeInstalled(one);
    context.print(`removed ${exactName(one)} (${megabytes(one.sizeBytes)})`);
  }
}
