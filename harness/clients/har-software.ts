import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Har } from '../../src/core/model/har.ts';
import { packageDirOf } from '../../src/core/system/module-file.ts';

/** A program as a HAR names it. */
export interface HarSoftware {
  readonly name: string;
  readonly version: string;
}

/** Read once: it does not change while a run goes on. */
const { version } = JSON.parse(
  readFileSync(join(packageDirOf(import.meta.url), 'package.json'), 'utf8'),
) as HarSoftware;

/** Who made a HAR: this project, with what captured it in the comment; and the client that loaded. */
export function harSoftware(client: HarSoftware, comment: string): Pick<Har['log'], 'creator' | 'browser'> {
  const { name } = client;
  return { creator: { name: 'h2h3', version, comment }, browser: { name, version: client.version } };
}
