import { checkNoise, noiseWarnings } from '../../core/system/noise-checks.ts';
import type { AppContext } from '../app-context.ts';

/** Looks at the machine for a second; what is wrong is said at once and returned for the run's warnings. */
export async function noiseOfMachine({ progress }: AppContext): Promise<string[]> {
  const warnings = noiseWarnings(await checkNoise());
  warnings.forEach((line) => progress.say(`warning: ${line}`));
  return warnings;
}
