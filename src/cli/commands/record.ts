import { parseDuration } from '../../app/duration.ts';
import type { RecordedArchive, RecordOptions } from '../../app/site/record.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { shellWord } from '../../core/model/command-words.ts';
import type { AddCommand } from './command.ts';
import { wholeNumber } from '../../app/whole-number.ts';

interface Flags {
  readonly out?: string;
  readonly loads: string;
  readonly scroll?: boolean;
  readonly keepCookies?: boolean;
  readonly keepBodiesWithSecrets?: boolean;
  readonly device?: string;
  readonly deterministic?: boolean;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly limit: string;
  readonly client: string;
  readonly login?: string;
  readonly script?: string;
  readonly storageState?: string;
  readonly connectTo?: readonly string[];
  readonly fromHar?: string;
  readonly fromWarc?: string;
  readonly page?: string;
}

const examples = `
Examples:
  npx h2h3 record https://example.org/                       into .h2h3/archives/example.org
  npx h2h3 record https://example.org/ https://example.org/news --loads 2 --scroll --out news
  npx h2h3 record https://shop.example/account --login log-in.ts
  npx h2h3 record https://shop.example/ --script shop.ts    what a journey asks for
  npx h2h3 record http://localhost:3000/                     a dev server: its recording is replayed over TLS
  npx h2h3 record --from-har page.har                        a HAR "with content", or Playwright's recordHar .zip
  npx h2h3 record --from-warc crawl.warc.gz
  npx h2h3 run --sites .h2h3/archives/example.org            measure it, H2 against H3`;

export const addRecordCommand: AddCommand = (program, context) => {
  program
    .command('record')
    .description('keep a whole site, all its hosts included, so that it can be replayed over either protocol')
    .argument(
      '[urls...]',
      'addresses, loaded one after the other: https, or http of an app on this machine or near it',
    )
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
    .option('--ca <file>', 'trust the certificates in this PEM file too')
    .option('--insecure', 'accept any certificate of the recorded servers')
    .option('--limit <time>', 'longest time for one load', '30s')
    .option('--client <name>', 'browser of the Chromium family', 'best')
    .option(
      '--connect-to <rule>',
      "HOST:PORT:TOHOST:TOPORT, as curl's; may be repeated",
      (rule: string, earlier: readonly string[] | undefined) => [...(earlier ?? []), connectRule(rule)],
    )
    .option('--storage-state <file>', 'cookies and local storage that Playwright saved')
    .option(
      '--login <script>',
      'a module that logs in by Puppeteer before anything is recorded: export default async ({ page, url, secret }) => …',
    )
    .option('--script <file>', 'a journey that goes through the pages: what it asks for is recorded')
    .option('--from-har <file>', 'import a HAR with bodies instead of loading anything')
    .option('--from-warc <file>', 'import a WARC file (.warc or .warc.gz) instead of loading anything')
    .option(
      '--page <address>',
      'start the imported archive at this page of the file (default: the likeliest)',
    )
    .addHelpText('after', examples)
    .action(async (urls: readonly string[], flags: Flags) => {
      const { record } = await import('../../app/site/record.ts');
      const archive = await record(recordOptions(urls, flags), context);
      context.progress.clear();
      (await describeArchive(archive)).forEach((line) => context.print(line));
    });
};

function recordOptions(urls: readonly string[], flags: Flags): RecordOptions {
  return {
    urls,
    harFile: flags.fromHar,
    warcFile: flags.fromWarc,
    page: flags.page,
    out: flags.out,
    visits: wholeNumber('loads', flags.loads, 1, 100),
    limitMs: parseDuration(flags.limit),
    scroll: flags.scroll,
    keepSecrets: flags.keepCookies,
    keepBodiesWithSecrets: flags.keepBodiesWithSecrets,
    device: flags.device,
    deterministic: flags.deterministic,
    ca: flags.ca,
    insecure: flags.insecure,
    client: flags.client,
    login: flags.login,
    script: flags.script,
    storageState: flags.storageState,
    connectTo: flags.connectTo,
  };
}

function connectRule(rule: string): string {
  if (/^[^:\s]+:\d+:[^:\s]+:\d+$/.test(rule)) return rule;
  throw new H2h3Error('usage', `--connect-to wants HOST:PORT:TOHOST:TOPORT, got "${rule}"`);
}

async function describeArchive({ outDir, index, notes }: RecordedArchive): Promise<string[]> {
  const { named } = await import('../../app/site/record.ts');
  const hosts = new Set(index.entries.map(({ host }) => host)).size;
  const bytes = index.entries.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  return [
    `${outDir}: ${index.entries.length} answers of ${hosts} ${hosts === 1 ? 'host' : 'hosts'}, ${(bytes / 1_000_000).toFixed(2)} MB`,
    ...(index.complete
      ? []
      : ['the page never went quiet: this is what came within the limit, and it is marked so']),
    ...counted(index.removed, 'replaced by hashes', ' (--keep-cookies keeps them)'),
    ...counted(index.kept, 'kept though it looks like a secret', ''),
    ...named(
      index.failures.map(({ url, reason }) => `${url} (${reason})`),
      'request failed, and will fail when it is replayed',
      'requests failed, and will fail when they are replayed',
    ),
    ...named(
      index.lacks.map(({ feature, url }) => `${feature} ${url}`),
      'thing that a replay cannot give',
      'things that a replay cannot give',
    ),
    ...notes,
    `measure it:  npx h2h3 run --sites ${shellWord(outDir)}`,
  ];
}

const maxKinds = 8;

function counted(counts: Readonly<Record<string, number>>, what: string, more: string): string[] {
  const kinds = Object.entries(counts).map(([name, count]) => `${count} × ${name}`);
  const rest = kinds.length > maxKinds ? ', …' : '';
  return kinds.length === 0 ? [] : [`${what}: ${kinds.slice(0, maxKinds).join(', ')}${rest}${more}`];
}
