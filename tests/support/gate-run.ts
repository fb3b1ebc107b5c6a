import type { Arm } from '../../src/model/plan.ts';
import type { TrialRecord } from '../../src/model/record.ts';
import { generateRun, type GeneratedRun } from './generated-run.ts';
import { parseArms } from '../../src/plan/arms.ts';

/** Two versions by two protocols, as a gate runs them. */
export const gateArms: readonly Arm[] = parseArms(['old:h2', 'old:h3', 'new:h2', 'new:h3']);

/** A sequential run of generated blocks with looks after 12, 16 and 20. */
export function generateGateRun(options: {
  readonly seed?: number;
  readonly noise?: number;
  readonly slowdown?: Readonly<Record<string, number>>;
  readonly alter?: (record: TrialRecord) => TrialRecord | undefined;
}): GeneratedRun {
  return generateRun({
    ...options,
    arms: gateArms,
    blocks: 20,
    plan: { name: 'gate-test', looks: [12, 16, 20] },
  });
}
