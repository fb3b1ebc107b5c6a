import type { z } from 'zod';
import { withCurrentNamesOf } from '../core/factors/former-names.ts';
import { parseForeignJson } from '../core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../core/model/errors.ts';
import { readInput } from '../core/system/read-input.ts';

interface DocumentOptions {
  /** What the file should be, for the error. */
  readonly what: string;
  readonly next: string;
}

/** Of every document of ours that is read this way. */
const newestVersion = 1;

function schemaVersionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('schemaVersion' in value)) return undefined;
  return typeof value.schemaVersion === 'number' ? value.schemaVersion : undefined;
}

/** What a JSON document holds, not yet judged, with the names that factors have today. @param name of it, for the error @throws H2h3Error `bad-input` */
export function parseJson(text: string, name: string, next?: string): unknown {
  try {
    return withCurrentNamesOf(text, parseForeignJson(text)).value;
  } catch (thrown) {
    throw new H2h3Error('bad-input', `${name} is not JSON: ${messageOf(thrown)}`, {
      context: { file: name },
      ...(next === undefined ? {} : { next }),
      cause: thrown,
    });
  }
}

/** Reads a JSON document of a run folder. @throws H2h3Error `bad-input` when it is missing, damaged or of a newer schema */
export function readDocument<T>(file: string, schema: z.ZodType<T>, options: DocumentOptions): T {
  const text = readInput(file, { ...options, followLink: false }).toString('utf8');
  const refuse = (detail: string, next: string): H2h3Error =>
    new H2h3Error('bad-input', `${file} ${detail}`, { context: { file }, next });
  const value = parseJson(text, file, options.next);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const version = schemaVersionOf(value);
  if (version !== undefined && version > newestVersion)
    throw refuse(
      `cannot be read: it has schema version ${version}, this h2h3 reads ${newestVersion}`,
      'Use the h2h3 that made it, or a newer one.',
    );
  const issue = parsed.error.issues[0];
  throw refuse(`cannot be read: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`, options.next);
}
