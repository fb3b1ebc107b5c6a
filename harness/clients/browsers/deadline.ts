import { H2h3Error, messageOf } from '../../../src/core/model/errors.ts';
import { afterEvents } from '../../../src/core/system/after-events.ts';

/**
 * `work`, unless it takes longer than `limitMs`. What comes of it afterwards is ignored.
 * @throws H2h3Error `deadline`, naming `what` was awaited.
 */
export async function within<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  let forget = (): void => undefined;
  const overdue = new Promise<never>((_, reject) => {
    forget = afterEvents(Math.max(0, limitMs), () =>
      reject(new H2h3Error('deadline', `${what} took longer than ${Math.round(limitMs)} ms`)),
    );
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, overdue]);
  } finally {
    forget();
  }
}

/** Why a page whose load is over has no times: it does not answer, or is not there any more. */
export function unreadablePage(cause: unknown): H2h3Error {
  return new H2h3Error('process-failed', `the page could not be read after its load: ${messageOf(cause)}`, {
    cause,
  });
}

/** What is read of a page after its load. @throws H2h3Error `process-failed` where it cannot be read */
export async function readOfPage<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (thrown) {
    throw unreadablePage(thrown);
  }
}

/** Why the times of the page that shows now are not those of the page that was loaded. */
export function leftPage(address: string): string {
  return `the page left for ${address} after its load, before it was read`;
}
