import path from 'node:path';
import { z } from 'zod';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import type { SetupContext } from '../setup-context.ts';
import type { OfferedVersion } from './version-source.ts';
import { readKept } from '../../../src/core/system/read-input.ts';
import { writeWhole } from '../../../src/core/system/write-whole.ts';
import { makeFolder } from '../../../src/core/system/storage-error.ts';

const digestsSchema = z.record(z.string(), z.string());

/** Stays when a version is removed: what was once fetched under a name must be the same the next time. */
const fileOf = ({ cache }: Pick<SetupContext, 'cache'>): string =>
  path.join(cache.directory, 'version-digests.json');

/** A release of the same number on another kind of machine is another archive. */
const digestKey = (
  id: string,
  { release, origin }: OfferedVersion,
  { platform, arch }: SetupContext,
): string => `${id} ${release}, ${origin}, ${platform} ${arch}`;

function readDigests(file: string): Record<string, string> {
  try {
    return digestsSchema.parse(JSON.parse(readKept(file, 'digests of versions') ?? '{}'));
  } catch (thrown) {
    throw new H2h3Error('bad-input', `${file} holds no digests`, {
      next: 'Remove that file: digests are then learned anew.',
      cause: thrown,
    });
  }
}

/** @throws H2h3Error `bad-input` where a registry offers under a known name what has another digest than before */
export function requireKnownDigest(
  id: string,
  offered: OfferedVersion,
  others: readonly string[],
  context: SetupContext,
): void {
  const known = readDigests(fileOf(context))[digestKey(id, offered, context)];
  if (known === undefined || offered.integrity === null || known === offered.integrity) return;
  throw new H2h3Error('bad-input', `${id} ${offered.release} of ${offered.origin} is not what it was`, {
    context: { expected: known, got: offered.integrity },
    next: `Its registry has another archive under this version now. It has ${others.join(', ')} too.`,
  });
}

export function keepDigest(
  id: string,
  offered: OfferedVersion & { readonly integrity: string },
  context: SetupContext,
): void {
  const file = fileOf(context);
  const digests = { ...readDigests(file), [digestKey(id, offered, context)]: offered.integrity };
  makeFolder(path.dirname(file));
  writeWhole(file, `${JSON.stringify(digests, null, 1)}\n`);
}
