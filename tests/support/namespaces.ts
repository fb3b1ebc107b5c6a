import { findPrivilege } from '../../harness/network/privilege.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/model/errors.ts';
import { projectDir } from './cli.ts';

/** Why no path can be made on this machine; null when one can. */
export async function whyNoNamespaces(): Promise<string | null> {
  try {
    await findPrivilege(await createSetupContext({ projectDir }));
    return null;
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown.message;
    throw thrown;
  }
}
