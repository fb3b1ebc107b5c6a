import { basename } from 'node:path';
import type { Audience } from '../../core/model/audience.ts';
import { readInput, readLines } from '../../core/system/read-input.ts';
import { readyAudience } from '../../plan/audience/ready/registry.ts';
import { readAudienceJson, readAudienceLines } from '../../plan/audience/read-audience.ts';

/** A JSON document is held as a whole; CSV and a JSON object a line are not. */
const maxJsonBytes = 16 * 1024 * 1024;

/**
 * Reads who the users are, from a file or by the name of a ready audience. A file of a million page views needs no more memory than one of a thousand.
 *
 * @throws H2h3Error `bad-input` where the file cannot be read, or a line of it
 */
export function readAudienceFile(file: string): Audience {
  const ready = readyAudience(file);
  if (ready !== undefined) return ready;
  const source = basename(file);
  const what = 'an audience';
  if (/\.json$/i.test(file)) {
    const next = 'Write a JSON object a line (.jsonl), or CSV: those are not held in memory.';
    return readAudienceJson(
      readInput(file, { what, limitBytes: maxJsonBytes, next }).toString('utf8'),
      source,
    );
  }
  return readAudienceLines(readLines(file, { what }), source);
}
