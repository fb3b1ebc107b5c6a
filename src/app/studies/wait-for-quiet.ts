import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error } from '../../core/model/errors.ts';
import { checkNoise, type NoiseCheck } from '../../core/system/noise-checks.ts';
import { formatDuration } from '../duration.ts';

export interface QuietOptions {
  /** Longest wait, ms; 0 does not look. */
  readonly limitMs: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Looks at the machine; another one in tests. */
  readonly checkNoiseNow?: () => Promise<readonly NoiseCheck[]>;
  /** Between two looks, ms. */
  readonly everyMs?: number;
}

/** So long load and steal are watched at each look, ms. */
const watchedMs = 3000;

/**
 * Waits until no other program and no hypervisor takes the CPUs. When the time is over it says so: the run then begins, and its
 * own checks mark it.
 *
 * @returns whether it is quiet, as far as was looked
 * @throws H2h3Error `interrupted`
 */
export async function waitForQuiet({
  limitMs,
  say,
  signal,
  checkNoiseNow = () => checkNoise({ intervalMs: watchedMs }),
  everyMs = 7000,
}: QuietOptions): Promise<boolean> {
  if (limitMs <= 0) return true;
  const until = performance.now() + limitMs;
  let told = false;
  for (;;) {
    const busy = (await checkNoiseNow()).filter(
      ({ check, ok }) => !ok && (check === 'load' || check === 'steal'),
    );
    if (busy.length === 0) return true;
    const why = busy.map(({ reason }) => reason).join('; ');
    if (performance.now() >= until) {
      say(`not quiet after ${formatDuration(limitMs)} (${why}). It runs now, and its row is marked.`);
      return false;
    }
    if (!told) say(`waiting up to ${formatDuration(limitMs)} for a quiet machine: ${why}`);
    told = true;
    await sleep(Math.min(everyMs, Math.max(0, until - performance.now())), undefined, { signal }).catch(
      () => {
        throw new H2h3Error('interrupted', 'stopped while waiting for a quiet machine', {
          next: 'The same command goes on.',
        });
      },
    );
  }
}
