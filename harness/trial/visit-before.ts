import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import type { ClientDriver, Load } from '../clients/client-driver.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { launchOptions } from './launch-options.ts';

/**
 * The first visit of a `repeat` view: loads the page in the trial's profile without measuring anything, and lets the
 * browser end by itself, so that its caches are on disk and every connection is gone. Returns warnings.
 *
 * @throws H2h3Error `process-failed`: without a first visit there is no second, whatever went wrong.
 */
export async function visitBefore(
  order: TrialOrder,
  { driver, profileDir }: { readonly driver: ClientDriver; readonly profileDir: string },
  load: Load,
): Promise<readonly string[]> {
  try {
    if (driver.visit === undefined) throw new H2h3Error('unsupported', 'this client keeps no caches');
    return await driver.visit(launchOptions(order, { frames: false, logs: [] }, profileDir), load);
  } catch (thrown) {
    const context = thrown instanceof H2h3Error ? thrown.context : {};
    throw new H2h3Error('process-failed', `the first visit, which is not measured: ${messageOf(thrown)}`, {
      context,
      cause: thrown,
    });
  }
}
