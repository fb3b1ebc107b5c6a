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
