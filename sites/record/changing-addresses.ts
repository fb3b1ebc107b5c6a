import { addressOf, withoutEscapes } from '../archive/address-of.ts';
import type { ArchiveEntry } from '../archive/archive-index.ts';
import { decodeBody } from '../archive/content-coding.ts';
import { headerOf } from '../archive/headers.ts';
import type { Archive } from '../archive/open-archive.ts';
import { changesEachLoad } from '../replay/made-up-values.ts';

/**
 * Addresses that no replay can be sure to be asked for: with a time or a random number in their query by its form, or with
 * digits among eight letters or more, or a day, that no earlier answer held, so that a script made them.
 */
export async function changingAddresses(archive: Archive): Promise<readonly string[]> {
  const { entries, urls } = archive.index;
  const heard = new Set(urls.flatMap(madeWords));
  const changing = new Set<string>();
  for (const entry of entries.toSorted((a, b) => a.startMs - b.startMs)) {
    const isMadeUp = wordsOf(entry).some((word) => !heard.has(word));
    if (isMadeUp || changesEachLoad(entry.query)) changing.add(addressOf(entry));
    for (const word of await wordsOfAnswer(archive, entry)) heard.add(word);
  }
  return [...changing];
}

function wordsOf({ path, query }: ArchiveEntry): string[] {
  return madeWords(`${path}?${query}`.replaceAll(placeholders, ''));
}

/** What stands for a secret is no longer what the page asked by. */
const placeholders = /h2h3-[0-9a-f]{16}/g;
const dayOrWord = /\d{4}-\d\d-\d\d|[A-Za-z0-9]{8,}/g;

/** Days, and words long enough to be times or random numbers, which have digits but for very few. */
function madeWords(text: string): string[] {
  return [...withoutEscapes(text).matchAll(dayOrWord)]
    .map(([word]) => word)
    .filter((word) => /\d/.test(word));
}

const textTypes = /text|json|script|xml|x-www-form-urlencoded/i;
/** Larger texts are data. */
const maxBytes = 8_000_000;

async function wordsOfAnswer(archive: Archive, entry: ArchiveEntry): Promise<string[]> {
  const { headers } = entry;
  const coding = headerOf(headers, 'content-encoding') ?? '';
  const isText = textTypes.test(headerOf(headers, 'content-type') ?? '');
  const body = isText ? await decodeBody(archive.body(entry), coding, maxBytes) : null;
  const values = headers.map(([, value]) => value).join('\n');
  return madeWords(`${values}\n${body?.toString('latin1') ?? ''}`);
}
