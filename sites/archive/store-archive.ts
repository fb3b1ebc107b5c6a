import { randomBytes } from 'node:crypto';
import { H2h3Error } from '../../src/core/model/errors.ts';
import type { ArchiveHead, ArchiveIndex } from './archive-index.ts';
import { cleanExchange } from './clean-exchange.ts';
import { findSecrets, requireNoSecrets } from './known-secrets.ts';
import { setCookiesOf } from './headers.ts';
import { SecretCleaner } from './secrets.ts';
import { storable } from './storable.ts';
import { writeArchive, type RecordedExchange } from './write-archive.ts';

/** What the maker of an archive decides about it. */
export interface ArchiveChoices {
  /** The archive's folder; must not exist. */
  readonly outDir: string;
  /** Keep cookies, credentials and tokens as they are. Default: a keyed hash stands for each. */
  readonly keepSecrets?: boolean;
  /** Keep bodies that hold what looks like a token or a key. Default: such a recording is refused. */
  readonly keepBodiesWithSecrets?: boolean;
  /** Texts that are secret, whatever they look like. Default: none are known. */
  readonly secrets?: readonly string[];
}

export interface StoredArchive {
  readonly index: ArchiveIndex;
  /** Addresses whose answers no archive can hold. */
  readonly skipped: readonly string[];
  /** What a reader must know of answers that are held otherwise than they came. */
  readonly warnings: readonly string[];
}

/** With the key of its hashes, where what is stored was an archive before. */
export type HeadToStore = Omit<ArchiveHead, 'removed' | 'kept'>;

/**
 * Cleans what was recorded and writes it. The addresses of the head are cleaned like all others.
 *
 * @throws H2h3Error `bad-input` for an address that answered nothing and for bodies with secrets that are not to be kept, `usage` when the folder exists.
 */
export async function storeArchive(
  choices: ArchiveChoices,
  head: HeadToStore,
  exchanges: readonly RecordedExchange[],
): Promise<StoredArchive> {
  requireAnswers(head.urls, exchanges);
  const newKey = (): string => head.secretsKey || randomBytes(16).toString('hex');
  const secretsKey = choices.keepSecrets === true ? '' : newKey();
  const cleaner = new SecretCleaner(secretsKey, setCookiesOf(exchanges.map(({ entry }) => entry)));
  const cleaned = exchanges.map((exchange) => cleanExchange(exchange, cleaner));
  const found = await findSecrets(cleaned, choices.secrets);
  requireNoSecrets(found, choices.keepBodiesWithSecrets === true);
  const { exchanges: kept, refused, oddHeaders } = storable(cleaned);
  const address = <T extends { readonly url: string }>(each: T): T => ({
    ...each,
    url: cleaner.address(each.url),
  });
  const cleanHead = {
    ...head,
    urls: head.urls.map((url) => cleaner.address(withoutUser(url))),
    failures: (head.failures ?? []).map(address),
    lacks: (head.lacks ?? []).map(address),
  };
  const index = await writeArchive(
    choices.outDir,
    {
      ...cleanHead,
      secretsKey,
      removed: counts(cleaner.removed),
      kept: counts(found.map(({ kind }) => `body with ${kind}`)),
    },
    kept,
  );
  const warnings =
    oddHeaders.length === 0
      ? []
      : [`headers that HTTP/2 cannot carry are left out: ${oddHeaders.length}: ${oddHeaders.join(', ')}`];
  return { index, skipped: refused.map((url) => cleaner.address(url)), warnings };
}

/** Without an answer of the host that a browser is sent to there is nothing to replay. */
function requireAnswers(urls: readonly string[], exchanges: readonly RecordedExchange[]): void {
  const answered = new Set(
    exchanges.filter(({ entry }) => entry.status !== 0).map(({ entry }) => entry.host),
  );
  const silent = urls.find((url) => URL.canParse(url) && !answered.has(new URL(url).hostname));
  if (silent === undefined) return;
  throw new H2h3Error('bad-input', `${silent} answered nothing; nothing was kept`, {
    next: 'Check the address in a browser; a server that is slow may need a longer --limit.',
  });
}

/** No browser is sent anywhere with a name and password that a file brought. */
function withoutUser(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}

function counts(names: readonly string[]): Record<string, number> {
  // No name of a page's making is a property of an object before it is counted.
  const counted = new Map<string, number>();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  return Object.fromEntries(counted);
}
