import { setTimeout as sleep } from 'node:timers/promises';
import type { RawTrial } from '../../src/core/model/raw-trial.ts';
import type { Testbed } from '../testbed/testbed.ts';

/** A sender that fills the link has left its start-up behind by then, and its queue is there. */
const warmUpMs = 3_000;

export interface BesideLoad {
  readonly facts: Pick<RawTrial, 'otherTraffic'>;
  readonly stop: () => Promise<void>;
}

const none: BesideLoad = { facts: {}, stop: () => Promise.resolve() };

/** Begins what another client of the link loads, where the trial has one; resolves when it is under way. */
export async function startBesideLoad(testbed: Testbed | null): Promise<BesideLoad> {
  const running = await testbed?.network.startBeside?.();
  if (running === undefined) return none;
  await sleep(warmUpMs);
  const { stop, ...otherTraffic } = running;
  return { facts: { otherTraffic }, stop };
}
