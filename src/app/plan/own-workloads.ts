import { ownVideoWorkloads } from '../../../video/index.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Workload } from '../../core/model/workload.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';

/**
 * Workloads of the videos that `h2h3 encode --input` has made. A record of them that cannot be read is said and costs
 * those workloads, not the command.
 */
export async function loadOwnWorkloads(context: AppContext): Promise<readonly Workload[]> {
  try {
    return await ownVideoWorkloads((await setupContextOf(context)).cache.directory);
  } catch (thrown) {
    if (!(thrown instanceof H2h3Error) || thrown.code !== 'bad-input') throw thrown;
    const where = thrown.context.file === undefined ? '' : ` (${thrown.context.file})`;
    context.progress.say(`warning: own videos are left out: ${thrown.message}${where}; ${thrown.next ?? ''}`);
    return [];
  }
}
