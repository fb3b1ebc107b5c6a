import {
  encodeLadder,
  type EncodedLadder,
  type EncodeLadderOptions,
  type EncodePlan,
} from '../../../video/index.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { prepareContextOf } from '../run/prepare-run.ts';

export type { EncodedLadder, EncodeLadderOptions, EncodePlan } from '../../../video/index.ts';

/**
 * Encodes a ladder now, from test pictures or from a video of the user's own, and checks it.
 *
 * @param onPlan told what it will cost before it begins
 */
export async function encode(
  options: EncodeLadderOptions,
  context: AppContext,
  onPlan: (plan: EncodePlan) => void,
): Promise<EncodedLadder> {
  // No server is started: what is encoded does not name a port.
  return encodeLadder(options, prepareContextOf(await setupContextOf(context), 0), onPlan);
}
