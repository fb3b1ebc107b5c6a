import { ensureEmulatorPrograms } from '../../harness/network/emulator-programs.ts';
import { findPrivilege, requireProgram } from '../../harness/network/privilege.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { projectDir } from './cli.ts';

/**
 * Why no path can be made on this machine; null when one can.
 *
 * @param more programs that this path needs besides, each called as its package
 */
export async function namespaceLack(...more: readonly string[]): Promise<string | null> {
  try {
    const setup = await createSetupContext({ projectDir });
    await findPrivilege(setup);
    await ensureEmulatorPrograms(setup);
    for (const name of more) await requireProgram(name, name, setup);
    return null;
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown.message;
    throw thrown;
  }
}
