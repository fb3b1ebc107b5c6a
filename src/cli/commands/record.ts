import { join } from 'node:path';
import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import { ensureMitmdump } from '../../../harness/tools/mitmdump.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import {
  importHar,
  importWarc,
  deviceNamed,
  recordSite,
  requireNewArchive,
  type ArchiveChoices,
  type ArchiveIndex,
} from '../../../sites/index.ts';
import { H2h3Error } from '../../model/errors.ts';
import { parseDuration } from '../../app/duration.ts';
import { choosePort } from '../../system/free-port.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
import { shellWord } from '../shell-word.ts';
import type { AddCommand } from './command.ts';

interface Flags {
  readonly out?: string;
  readonly loads: string;
  readonly scroll?: boolean;
  readonly keepCookies?: boolean;
  readonly keepBodiesWithSecrets?: boolean;
  readonly device?: string;
  readonly deterministic?: boolean;
  readonly insecure?: boolean;
  readonly limit: string;
  readonly client: string;
  readonly connectTo?: readonly string[];
  readonly fromHar?: string;
  readonly fromWarc?: string;
}

const examples = `
Examples:
  h2h3 record https://example.org/                       into .h2h3/archives/example.org
  h2h3 record https://example.org/ https://example.org/news --loads 2 --scroll --out news
  h2h3 record --from-har page.har                        a HAR "with content", or Playwright's recordHar .zip
  h2h3 record --from-warc crawl.warc.gz
  h2h3 run --sites .h2h3/archives/example.org            measure it, H2 against H3`;

export const addRecordCommand: AddCommand = (program, context) => {
  program
    .command('record')
    .description('keep a whole site, all its hosts included, so that it can be replayed over either protocol')
    .argument('[urls...]', 'https addresses, loaded one after the other')
    .option('--out <dir>', 'folder of the archive (default: archives/NAME in the cache folder)')
    .option('--loads <n>', 'loads of each address, each in a fresh profile', '1')
    .option('--scroll', 'scroll down each page, so that lazy objects are asked for')
    .option(
      '--device <name>',
      'phone or tablet to show the pages on, as "Pixel 5" or "iPhone 15"; its trials do so too (default: desktop)',
    )
    .option('--deterministic', 'settle time and random numbers for scripts, here and when it is replayed')
    .option(
      '--keep-cookies',
      'keep cookies, authorisation headers and tokens, for which hashes stand otherwise',
    )
    .option(
      '--keep-bodies-with-secrets',
      'keep bodies that hold what looks like a token or key, which are refused otherwise',
    )
    .option('--insecure', 'accept any certificate of the recorded servers')
    .option('--limit <time>', 'longest time for one load', '30s')
    .option('--client <name>', 'browser of the Chromium family', 'best')
    .option(
      '--connect-to <rule>',
      "HOST:PORT:TOHOST:TOPORT, as curl's; may be repeated",
      (rule: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), connectRule(rule)],
    )
    .option('--from-har <file>', 'import a HAR with bodies instead of loading anything')
    .option('--from-warc <file>', 'import a WARC file (.warc or .warc.gz) instead of loading anything')
    .addHelpText('after', examples)
    .action(async (urls: readonly string[], flags: Flags) => {
      const setup = await setupContextOf(context);
      const [source, ...more] = [flags.fromHar, flags.fromWarc, urls[0]].filter(
        (given) => given !== undefined,
      );
      if (source === undefined || more.length > 0)
        throw new H2h3Error('usage', 'record wants addresses, or --from-har FILE, or --from-warc FILE', {
          next: 'See `h2h3 record --help`.',
        });
      const outDir = flags.out ?? join(setup.cache.directory, 'archives', nameOf(source));
      requireNewArchive(outDir);
      const common: ArchiveChoices = {
        outDir,
        keepSecrets: flags.keepCookies === true,
        keepBodiesWithSecrets: flags.keepBodiesWithSecrets === true,
      };
      const { index, notes } = await archived(urls, flags, common, setup, context);
      context.progress.clear();
      describeArchive(outDir, index, notes).forEach((line) => context.print(line));
    });
};

interface Archived {
  readonly index: ArchiveIndex;
  readonly notes: readonly string[];
}

async function archived(
  urls: readonly string[],
  flags: Flags,
  common: ArchiveChoices,
  setup: SetupContext,
  context: AppContext,
): Promise<Archived> {
  if (flags.fromHar !== undefined || flags.fromWarc !== undefined) {
    const { index, skipped, warnings } =
      flags.fromHar === undefined
        ? await importWarc({ warcFile: flags.fromWarc ?? '', ...common, signal: context.signal })
        : await importHar({ harFile: flags.fromHar, ...common });
    return { index, notes: [...warnings, ...skippedNotes(skipped)] };
  }
  urls.forEach(requireHttps);
  const device = deviceNamed(flags.device ?? 'desktop');
  const asked = { visits: loadsOf(flags.loads), limitMs: parseDuration(flags.limit), device };
  const client = await resolveClient(flags.client, setup);
  if (client.family !== 'chromium')
    throw new H2h3Error(
      'usage',
      `sites are recorded with a browser of the Chromium family, not ${client.name}`,
    );
  const { index, backgroundRequests, skipped, dialogs } = await recordSite({
    ...{ urls, ...common, progress: setup.progress, signal: context.signal },
    browserPath: client.executablePath,
    browserEnvironment: client.environment,
    mitmdump: await ensureMitmdump(setup),
    proxyPort: await choosePort(undefined),
    ...asked,
    scroll: flags.scroll === true,
    deterministic: flags.deterministic === true,
    insecureUpstream: flags.insecure === true,
    connectTo: flags.connectTo ?? [],
  });
  const own = `${backgroundRequests} requests of the browser itself are left out`;
  return {
    index,
    notes: [
      ...(backgroundRequests > 0 ? [own] : []),
      ...examplesNote(dialogs, 'dialogs were answered with yes'),
      ...skippedNotes(skipped),
    ],
  };
}

function skippedNotes(skipped: readonly string[]): string[] {
  return examplesNote(skipped, 'answers could not be taken over');
}

const examplesShown = 3;

function examplesNote(items: readonly string[], what: string): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, examplesShown).join(', ') + (items.length > examplesShown ? ', …' : '');
  return [`${items.length} ${what}: ${shown}`];
}

function loadsOf(text: string): number {
  const loads = Number(text);
  if (Number.isInteger(loads) && loads >= 1 && loads <= 100) return loads;
  throw new H2h3Error('usage', `--loads wants a whole number from 1 to 100, got "${text}"`);
}

function requireHttps(url: string): void {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return;
  throw new H2h3Error('usage', `not an address that can be recorded: ${url}`, {
    context: { expected: 'https://host[:port]/path', got: url },
  });
}

function connectRule(rule: string): string {
  if (/^[^:\s]+:\d+:[^:\s]+:\d+$/.test(rule)) return rule;
  throw new H2h3Error('usage', `--connect-to wants HOST:PORT:TOHOST:TOPORT, got "${rule}"`);
}

/** A folder's name from an address or a file's name. */
function nameOf(source: string): string {
  const named = URL.canParse(source)
    ? new URL(source).host + new URL(source).pathname
    : (source.split(/[/\\]/).pop() ?? '').replace(/(\.(har|zip|warc|gz|json))+$/i, '');
  const safe = named.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  return safe.replaceAll(/^[-.]+|[-.]+$/g, '') || 'site';
}

function describeArchive(outDir: string, index: ArchiveIndex, notes: readonly string[]): string[] {
  const hosts = new Set(index.entries.map(({ host }) => host)).size;
  const bytes = index.entries.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  return [
    `${outDir}: ${index.entries.length} answers of ${hosts} hosts, ${(bytes / 1_000_000).toFixed(2)} MB`,
    ...(index.complete
      ? []
      : ['the page never went quiet: this is what came within the limit, and it is marked so']),
    ...countedNote(index.removed, 'replaced by hashes', ' (--keep-cookies keeps them)'),
    ...countedNote(index.kept, 'kept though it looks like a secret', ''),
    ...examplesNote(
      index.failures.map(({ url, reason }) => `${url} (${reason})`),
      'requests failed, and will fail when it is replayed',
    ),
    ...examplesNote(
      index.lacks.map(({ feature, url }) => `${feature} ${url}`),
      'uses of what a replay cannot give',
    ),
    ...notes,
    `measure it:  npx h2h3 run --sites ${shellWord(outDir)}`,
  ];
}

function countedNote(counts: Readonly<Record<string, number>>, what: string, more: string): string[] {
  const named = Object.entries(counts).map(([name, count]) => `${count} × ${name}`);
  const rest = named.length > namesShown ? ', …' : '';
  return named.length === 0 ? [] : [`${what}: ${named.slice(0, namesShown).join(', ')}${rest}${more}`];
}

const namesShown = 8;
