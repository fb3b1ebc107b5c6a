import type { TestContext } from 'node:test';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { projectDir } from './cli.ts';

/** Skips a test that names these clients where one of them cannot be had on this machine, with the reason; false where all can. */
export async function skipsWithout(t: TestContext, ...names: readonly string[]): Promise<boolean> {
  const setup = await createSetupContext({ projectDir });
  for (const name of names) {
    try {
      await resolveClient(name, setup);
    } catch (thrown) {
      t.skip(messageOf(thrown));
      return true;
    }
  }
  return false;
}

/**
 * Protocols over which a client is tried on this machine. A system's own curl is often built without HTTP/3, which is told.
 *
 * @throws H2h3Error where there is no such client
 */
export async function protocolsHere(
  name: string,
  say: (line: string) => void,
): Promise<readonly ('h2' | 'h3')[]> {
  const {
    name: title,
    version,
    protocols,
  } = await resolveClient(name, await createSetupContext({ projectDir }));
  if (protocols === undefined || protocols.includes('h3')) return ['h2', 'h3'];
  say(`HTTP/3 is left out: ${title} ${version} speaks none here`);
  return ['h2'];
}
