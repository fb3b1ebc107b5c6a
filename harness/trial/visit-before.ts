import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { LaunchBrowser } from '../clients/browsers/browser.ts';
import type { TrialOrder } from './worker-protocol.ts';
import { launchOptions } from './launch-options.ts';
import { entryUrl } from './workload-address.ts';

/**
 * The first visit of a `repeat` view: loads the page in the trial's profile without measuring anything, and lets the
 * browser end by itself, so that its caches are on disk and every connection is gone. Returns warnings.
 *
 * @throws H2h3Error `process-failed`: without a first visit there is no second, whatever went wrong.
 */
export async function visitBefore(
  order: TrialOrder,
  parts: { readonly launch: LaunchBrowser; readonly profileDir: string },
): Promise<readonly string[]> {
  try {
    return await visit(order, parts);
  } catch (thrown) {
    const context = thrown instanceof H2h3Error ? thrown.context : {};
    throw new H2h3Error('process-failed', `the first visit, which is not measured: ${messageOf(thrown)}`, {
      context,
      cause: thrown,
    });
  }
}

async function visit(
  order: TrialOrder,
  { launch, profileDir }: { readonly launch: LaunchBrowser; readonly profileDir: string },
): Promise<readonly string[]> {
  const { workload } = order;
  const browser = await launch(launchOptions(order, { frames: false, networkEvents: true }, profileDir));
  try {
    // Whether the network is quiet is known from the recording only.
    await browser.startRecording();
    const endMs = performance.now() + workload.deadlineMs;
    const leftMs = (): number => Math.max(0, endMs - performance.now());
    await browser.navigate(entryUrl(workload, order.server?.port ?? null), leftMs());
    const quiet = await browser.waitUntilQuiet(workload.quietMs, leftMs());
    await browser.end();
    return quiet ? [] : ['requests of the first visit were still under way at its deadline'];
  } finally {
    await browser.close();
  }
}
