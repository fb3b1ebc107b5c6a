import { findPrivilege } from '../../../harness/network/privilege.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../model/errors.ts';
import { cpuSharePercent } from '../../model/factor.ts';
import type { PlannedTrial } from '../../model/plan.ts';
import { CpuShare } from '../../system/processes/cpu-share.ts';

/**
 * A control group for every share of a CPU that trials ask for, by the factor's value.
 *
 * @param name tells whose groups they are
 * @throws H2h3Error `unsupported` where none can be made
 */
export async function openCpuShares(
  trials: readonly Pick<PlannedTrial, 'factors'>[],
  name: string,
  setup: SetupContext,
): Promise<ReadonlyMap<string, CpuShare>> {
  const shares = new Map<string, CpuShare>();
  const wanted = new Set(trials.flatMap(({ factors: { cpu } }) => cpu ?? []));
  try {
    for (const cpu of wanted) {
      const options = { percent: cpuSharePercent(cpu), name, adminPrefix: await adminPrefix(setup) };
      shares.set(cpu, await CpuShare.open(options));
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

export async function closeCpuShares(shares: ReadonlyMap<string, CpuShare>): Promise<void> {
  await Promise.all([...shares.values()].map((share) => share.stop()));
}

/**
 * Finds out before anything is made whether the shares of a plan can be had.
 *
 * @throws H2h3Error `unsupported` with the reason
 */
export async function requireCpuShares(
  trials: readonly Pick<PlannedTrial, 'factors'>[],
  setup: SetupContext,
): Promise<void> {
  await closeCpuShares(await openCpuShares(trials, `try-${process.pid}`, setup));
}
