import { findPrivilege } from '../../../harness/network/privilege.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { valuesOf } from '../../core/factors/values.ts';
import type { PlannedTrial } from '../../core/model/plan.ts';
import { CpuShare } from '../../core/system/processes/cpu-share.ts';

/**
 * A control group for every share of a CPU that trials ask for, by percent of one CPU.
 *
 * @param name tells whose groups they are
 * @throws H2h3Error `unsupported` where none can be made
 */
export async function openCpuShares(
  trials: readonly Pick<PlannedTrial, 'factors'>[],
  name: string,
  setup: SetupContext,
): Promise<ReadonlyMap<number, CpuShare>> {
  const shares = new Map<number, CpuShare>();
  const wanted = new Set(trials.flatMap(({ factors }) => valuesOf(factors).cpu?.percent ?? []));
  try {
    for (const percent of wanted) {
      const options = { percent, name, adminPrefix: await adminPrefix(setup) };
      shares.set(percent, await CpuShare.open(options));
    }
    return shares;
  } catch (thrown) {
    await closeCpuShares(shares);
    throw thrown;
  }
}

/** Control groups need no namespaces: where those cannot be had, the group is tried as we are. */
async function adminPrefix(setup: SetupContext): Promise<readonly string[]> {
  try {
    return (await findPrivilege(setup)).adminPrefix;
  } catch (thrown) {
    if (thrown instanceof H2h3Error && thrown.code === 'unsupported') return [];
    throw thrown;
  }
}

export async function closeCpuShares(shares: ReadonlyMap<number, CpuShare>): Promise<void> {
  await Promise.all([...shares.values()].map((share) => share.stop()));
}
