import { join, resolve } from 'node:path';
import { resolveClient } from '../../../harness/clients/resolve-client.ts';
import { ensureMitmdump } from '../../../harness/tools/mitmdump.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import {
  changingAddresses,
  deviceNamed,
  importHar,
  importWarc,
  openArchive,
  recordSite,
  requireNewArchive,
  type Archive,
  type ArchiveChoices,
  type ArchiveIndex,
  type LeftOut,
} from '../../../sites/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { shownAddress, userInformationOf } from '../../core/model/user-information.ts';
import type { LiveOptions } from '../../core/model/live-address.ts';
import { plural } from '../words.ts';
import { desktop, journeyDesktop } from '../../core/model/device.ts';
import { isNearby } from '../plan/address-as-source.ts';
import { readScript } from '../plan/journey-script.ts';
import { requireLoadable } from '../preflight/scripts.ts';
import { choosePort } from '../../core/system/free-port.ts';
import { recordJourney } from './record-journey.ts';
import { recordingAccess } from './recording-access.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';

/** What to record: addresses, or a HAR, or a WARC; one of the three. */
export interface RecordOptions {
  /** Addresses, loaded one after the other: https, or http of an app on this machine or near it. */
  readonly urls?: readonly string[] | undefined;
  /** A HAR with bodies to import instead. */
  readonly harFile?: string | undefined;
  /** A WARC file to import instead. */
  readonly warcFile?: string | undefined;
  /** Address at which an imported archive starts. Default: the likeliest page of the file. */
  readonly page?: string | undefined;
  /** Folder of the archive. Default: `archives/NAME` in the cache folder. */
  readonly out?: string | undefined;
  /** Loads of each address, each in a fresh profile. Default: 1. */
  readonly visits?: number | undefined;
  /** Longest time for one load, ms. Default: 30 000. */
  readonly limitMs?: number | undefined;
  /** Scroll down each page, so that lazy objects are asked for. Default: no. */
  readonly scroll?: boolean | undefined;
  /** Keep cookies, authorisation headers and tokens, for which hashes stand otherwise. Default: no. */
  readonly keepSecrets?: boolean | undefined;
  /** Keep bodies that hold what looks like a token or key, which are refused otherwise. Default: no. */
  readonly keepBodiesWithSecrets?: boolean | undefined;
  /** What to show the pages on, by name. Default: desktop. */
  readonly device?: string | undefined;
  /** Settle time and random numbers for scripts, here and when it is replayed. Default: no. */
  readonly deterministic?: boolean | undefined;
  /** File of certificates in PEM that are trusted besides the public ones. */
  readonly ca?: string | undefined;
  /** Accept any certificate of the recorded servers. Default: no. */
  readonly insecure?: boolean | undefined;
  /** Browser of the Chromium family. Default: the best found. */
  readonly client?: string | undefined;
  /** A module whose default export logs in before anything is recorded. */
  readonly login?: string | undefined;
  /** The script of a journey, which goes through the pages instead of loading the one address. */
  readonly script?: string | undefined;
  /** A file of cookies and local storage of the form that Playwright writes. */
  readonly storageState?: string | undefined;
  /** `HOST:PORT:TOHOST:TOPORT` each, as curl's. */
  readonly connectTo?: readonly string[] | undefined;
}

export interface RecordedArchive {
  readonly outDir: string;
  readonly index: ArchiveIndex;
  /** What a reader should know of it. */
  readonly notes: readonly string[];
}

/**
 * Keeps a whole site, all its hosts included, so that it can be replayed over either protocol.
 *
 * @throws H2h3Error `usage` for what cannot be recorded, `unsupported` without browser or proxy
 */
export async function record(options: RecordOptions, context: AppContext): Promise<RecordedArchive> {
  const setup = await setupContextOf(context);
  const { urls = [], harFile, warcFile } = options;
  const [source, ...more] = [harFile, warcFile, urls[0]].filter((given) => given !== undefined);
  if (source === undefined || more.length > 0)
    throw new H2h3Error('usage', 'record wants addresses, or --from-har FILE, or --from-warc FILE', {
      next: 'See `npx h2h3 record --help`.',
    });
  if (options.page !== undefined && source === urls[0])
    throw new H2h3Error('usage', '--page goes with --from-har and --from-warc only', {
      next: 'Name the page as the address to record.',
    });
  const outDir = options.out ?? join(setup.cache.directory, 'archives', nameOf(source));
  requireNewArchive(outDir);
  const choices: ArchiveChoices = {
    outDir,
    keepSecrets: options.keepSecrets === true,
    keepBodiesWithSecrets: options.keepBodiesWithSecrets === true,
  };
  if (harFile !== undefined || warcFile !== undefined) {
    const imports = { ...choices, page: options.page };
    const { index, leftOut, warnings } =
      harFile === undefined
        ? await importWarc({ warcFile: warcFile ?? '', ...imports, signal: context.signal })
        : await importHar({ harFile, ...imports });
    return { outDir, index, notes: [...warnings, ...leftOutNotes(leftOut)] };
  }
  return { outDir, ...(await recordLive(options, choices, setup, context)) };
}

async function recordLive(
  options: RecordOptions,
  choices: ArchiveChoices,
  setup: SetupContext,
  context: AppContext,
): Promise<Omit<RecordedArchive, 'outDir'>> {
  const { urls = [], visits = 1, limitMs = 30_000 } = options;
  urls.forEach(requireRecordable);
  const scriptFile = journeyScriptOf(options);
  const usual = options.script === undefined ? desktop : journeyDesktop;
  const device = options.device === undefined ? usual : deviceNamed(options.device);
  const [client, mitmdump, proxyPort] = await Promise.all([
    resolveClient(options.client ?? 'best', setup),
    ensureMitmdump(setup),
    choosePort(undefined),
  ]);
  if (client.family !== 'chromium')
    throw new H2h3Error(
      'usage',
      `sites are recorded with a browser of the Chromium family, not ${client.name}`,
    );
  const access = await recordingAccess(
    { url: urls[0] ?? '', live: liveOptionsOf(options), client, device, scriptFile },
    setup,
    context,
  );
  const { index, backgroundRequests, skipped, warnings, dialogs } = await recordSite({
    urls,
    ...choices,
    visits,
    limitMs,
    device,
    progress: setup.progress,
    signal: context.signal,
    browserPath: client.executablePath,
    browserEnvironment: client.environment,
    mitmdump,
    proxyPort,
    scroll: options.scroll === true,
    deterministic: options.deterministic === true,
    insecureUpstream: options.insecure === true,
    ca: options.ca,
    connectTo: options.connectTo ?? [],
    ...(access === undefined ? {} : { access }),
    ...(scriptFile === undefined
      ? {}
      : { drive: (page) => recordJourney(page, { scriptFile, url: urls[0] ?? '', limitMs }, context) }),
  });
  const own = `${plural(backgroundRequests, 'request')} of the browser itself ${backgroundRequests === 1 ? 'is' : 'are'} left out`;
  return {
    index,
    notes: [
      ...(backgroundRequests > 0 ? [own] : []),
      ...named(dialogs, 'dialog was answered with yes', 'dialogs were answered with yes'),
      ...skippedNotes(skipped),
      ...(options.deterministic === true ? [] : await changingNotes(await openArchive(choices.outDir))),
      ...warnings,
    ],
  };
}

/** Addresses that no replay can be sure to be asked for, with the switch that has each load ask for the same. */
export async function changingNotes(archive: Archive): Promise<string[]> {
  return named(
    await changingAddresses(archive),
    'address has a time or a random number in it (--deterministic has each load ask for the same)',
    'addresses have times or random numbers in them (--deterministic has each load ask for the same)',
  );
}

/** @throws H2h3Error `usage` for what a script does not go with, and where there is none */
function journeyScriptOf({ script, urls = [], visits = 1, scroll }: RecordOptions): string | undefined {
  if (script === undefined) return undefined;
  const against = [
    ...(urls.length > 1 ? ['more than one address'] : []),
    ...(visits > 1 ? ['--loads'] : []),
    ...(scroll === true ? ['--scroll'] : []),
  ];
  if (against.length > 0)
    throw new H2h3Error('usage', `--script says what is loaded: it does not go with ${against.join(', ')}`);
  const { file } = readScript(resolve(script));
  requireLoadable(file);
  return file;
}

function liveOptionsOf({ ca, insecure, connectTo, login, storageState }: RecordOptions): LiveOptions {
  return {
    ...(ca === undefined ? {} : { ca: resolve(ca) }),
    ...(insecure === true ? { insecure } : {}),
    ...(connectTo === undefined ? {} : { connectTo: [...connectTo] }),
    ...(login === undefined ? {} : { login }),
    ...(storageState === undefined ? {} : { storageState }),
  };
}

function skippedNotes(skipped: readonly string[]): string[] {
  return named(skipped, 'answer could not be taken over', 'answers could not be taken over');
}

/** Each of them, by reason: what is missing must not be looked for in the replay. */
function leftOutNotes(leftOut: readonly LeftOut[]): string[] {
  const byReason = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  return byReason.map(([reason, entries]) => {
    const count = `${plural(entries.length, 'entry', 'entries')} ${entries.length === 1 ? 'is' : 'are'} left out`;
    return `${count} (${reason}): ${entries.map(({ url }) => url).join(', ')}`;
  });
}

const maxNamed = 3;

/** How many there are of what, and the first of them; nothing of none. */
export function named(items: readonly string[], one: string, many: string): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, maxNamed).join(', ') + (items.length > maxNamed ? ', …' : '');
  return [`${items.length} ${items.length === 1 ? one : many}: ${shown}`];
}

/** Plain http is recorded where it is no one's but this machine's and its neighbours': there an app has no TLS of its own yet. */
function requireRecordable(url: string): void {
  if (userInformationOf(url) !== '')
    throw new H2h3Error(
      'usage',
      `an address with a name and a password is not recorded: ${shownAddress(url)}`,
      {
        next: 'Every user of this machine can read arguments: log in with --login or --storage-state.',
      },
    );
  const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' };
  if (protocol === 'https:' || (protocol === 'http:' && isNearby(hostname))) return;
  throw new H2h3Error('usage', `not an address that can be recorded: ${shownAddress(url)}`, {
    context: { expected: 'https://host[:port]/path', got: shownAddress(url) },
    next: /^(?:http:\/\/)?[\w.-]+\.\w+(:\d+)?(\/|$)/.test(url)
      ? `Did you mean https://${url.replace(/^http:\/\//, '')}?`
      : 'Name the page with https:// before it.',
  });
}

/** A folder's name from an address or a file's name. */
function nameOf(source: string): string {
  const named = URL.canParse(source)
    ? new URL(source).host + new URL(source).pathname
    : (source.split(/[/\\]/).pop() ?? '').replace(/(\.(har|zip|warc|gz|json))+$/i, '');
  const safe = named.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-');
  return safe.replaceAll(/^[-.]+|[-.]+$/g, '') || 'site';
}
