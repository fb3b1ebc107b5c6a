import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { shellWord } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { writeWhole } from '../../core/system/write-whole.ts';
import { readDocument } from '../../store/read-document.ts';
import { givenPath } from '../given-path.ts';
import { senderRunNames, type SenderRequest } from './sender-plans.ts';

const requestFile = 'request.json';

const askedSchema = z.object({
  schemaVersion: z.literal(1),
  /** Of a live address: none of ours. */
  servers: z.array(z.string()),
  url: z.string().optional(),
  client: z.string(),
  repeats: z.number().int().positive(),
  all: z.boolean(),
  properties: z.array(z.string()).optional(),
});
type Asked = z.infer<typeof askedSchema>;

const anotherFolder = 'Name another folder with --out';

function askedBy({ servers, client, repeats, all, properties, live }: SenderRequest): Asked {
  return {
    schemaVersion: 1,
    servers: live === undefined ? [...servers] : [],
    url: live?.url,
    client,
    repeats,
    all,
    properties: properties === undefined ? undefined : [...properties],
  };
}

/** The flags that ask for it. */
function wordsOf({ servers, url, client, repeats, all, properties }: Asked): string {
  return [
    url === undefined ? `--server ${shellWord(servers.join(','))}` : `--url ${shellWord(url)}`,
    `--client ${shellWord(client)}`,
    `--repetitions ${repeats}`,
    ...(all ? ['--all'] : []),
    ...(properties === undefined ? [] : [`--property ${properties.join(',')}`]),
  ].join(' ');
}

/** What every run of a measurement has in common, whatever else is measured. */
const commonWords = (asked: Asked): string =>
  wordsOf({
    ...asked,
    servers: asked.servers.toSorted(),
    properties: asked.properties?.toSorted(),
    all: false,
  });

/**
 * Takes a folder for what is asked: a new one, or one of the same measurement, which then goes on. `--all` may come later, and
 * adds its runs.
 *
 * @throws H2h3Error `usage` for a folder in which something else was measured
 */
export function takeSendersFolder(out: string, request: SenderRequest): void {
  const file = join(out, requestFile);
  const asked = askedBy(request);
  if (senderRunNames.some((name) => existsSync(join(out, name, 'plan.json')))) {
    const before = readDocument(file, askedSchema, {
      what: 'request.json, which says what the folder measures',
      next: `${anotherFolder}.`,
    });
    if (commonWords(before) !== commonWords(asked) || (before.all && !asked.all))
      throw new H2h3Error('usage', `${givenPath(out)} has another measurement of senders`, {
        context: { expected: wordsOf(before), got: wordsOf(asked) },
        next: `${anotherFolder}, or ask for the same: ${wordsOf(before)}.`,
      });
  }
  writeWhole(file, `${JSON.stringify(asked, null, 1)}\n`);
}
