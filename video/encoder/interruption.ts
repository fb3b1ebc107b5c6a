import { H2h3Error } from '../../src/core/model/errors.ts';

export function interruption(): H2h3Error {
  return new H2h3Error('interrupted', 'preparing the video was interrupted', {
    next: 'run it again: finished tracks are kept',
  });
}

/** @throws H2h3Error `interrupted` once the user has asked to stop. */
export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw interruption();
}
