import { z } from 'zod';
import { archiveEntrySchema, archiveIndexSchema, type ArchiveEntry } from '../archive/archive-index.ts';
import type { Archive } from '../archive/open-archive.ts';

/** What HAR and WARC have no place for, and archives have: of the whole, and of one exchange. */
const headExtensionSchema = archiveIndexSchema.pick({
  urls: true,
  complete: true,
  device: true,
  deterministicEpochMs: true,
  secretsKey: true,
  failures: true,
  lacks: true,
});
export type HeadExtension = z.infer<typeof headExtensionSchema>;

const exchangeExtensionSchema = archiveEntrySchema
  .pick({
    visit: true,
    failure: true,
    hints: true,
    pauses: true,
    waitMs: true,
  })
  .extend({
    /** The body stands as it was sent, because its coding cannot be undone: it was cut off, or is not known. */
    bodyAsSent: z.boolean().default(false),
  });
export type ExchangeExtension = z.infer<typeof exchangeExtensionSchema>;

/** Their names in files: HAR reserves the underscore for what is an application's own. */
export const extensionField = '_h2h3';
/** Of the WARC `metadata` records that hold them. */
export const extensionType = 'application/vnd.h2h3+json';

export function headExtension({ index }: Archive): HeadExtension {
  return headExtensionSchema.parse(index);
}

export function exchangeExtension(entry: ArchiveEntry, bodyAsSent: boolean): ExchangeExtension {
  return exchangeExtensionSchema.parse({ ...entry, bodyAsSent });
}

/** Null for what no export of an archive wrote. */
export function readHeadExtension(given: unknown): HeadExtension | null {
  return headExtensionSchema.safeParse(given).data ?? null;
}

/** Null for what no export of an archive wrote. */
export function readExchangeExtension(given: unknown): ExchangeExtension | null {
  return exchangeExtensionSchema.safeParse(given).data ?? null;
}
