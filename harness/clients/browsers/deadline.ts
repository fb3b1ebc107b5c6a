import { H2h3Error } from '../../../src/model/errors.ts';

/**
 * `work`, unless it takes longer than `limitMs`. What comes of it afterwards is ignored.
 * @throws H2h3Error `deadline`, naming `what` was awaited.
 */
export async function within<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new H2h3Error('deadline', `${what} took longer than ${Math.round(limitMs)} ms`)),
      Math.max(0, limitMs),
    );
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
