import type { Arm } from '../../src/core/model/plan.ts';
import { generateRun, type GeneratedRun, type GeneratedRunOptions } from './generated-run.ts';
import { parseArms } from '../../src/plan/arms.ts';

/** Two versions by two protocols, as a gate runs them. */
export const gateArms: readonly Arm[] = parseArms(['old:h2', 'old:h3', 'new:h2', 'new:h3']);

/** A sequential run of generated blocks with interim analyses after 12, 16 and 20. */
export function generateGateRun(
  options: Pick<
    GeneratedRunOptions,
    'seed' | 'workloads' | 'networks' | 'noise' | 'recordedBlocks' | 'slowdown' | 'plan' | 'alter'
  >,
): GeneratedRun {
  return generateRun({
    ...options,
    arms: gateArms,
    blocks: 20,
    plan: { ...options.plan, name: 'gate-test', interims: [12, 16, 20] },
  });
}
