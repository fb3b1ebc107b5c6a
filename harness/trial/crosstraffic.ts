import { setTimeout as sleep } from 'node:timers/promises';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import type { Testbed } from '../testbed/testbed.ts';

/** A sender that fills the link has left its start-up behind by then, and its queue is there. */
const warmUpMs = 3_000;

export interface TrialCrossTraffic {
  readonly facts: Pick<RawTrial, 'otherTraffic'>;
  readonly stop: () => Promise<void>;
}

const none: TrialCrossTraffic = { facts: {}, stop: () => Promise.resolve() };

/** Begins what another client of the link loads, where the trial has one; resolves when it is under way. */
export async function startCrossTraffic(testbed: Testbed | null): Promise<TrialCrossTraffic> {
  const running = await testbed?.network.startCrossTraffic?.();
  if (running === undefined) return none;
  await sleep(warmUpMs);
  const { stop, ...otherTraffic } = running;
  return { facts: { otherTraffic }, stop };
}
