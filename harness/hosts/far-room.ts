import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { H2h3Error, unwritableReason } from '../../src/core/model/errors.ts';

/** More than servers log of a trial. */
const roomBytes = 1_000_000;

/**
 * A server that cannot write its log says nothing of that, and goes on: so it is tried whether there is room.
 *
 * @throws H2h3Error `storage` where there is none
 */
export function requireRoom(folder: string): void {
  const file = join(folder, 'room');
  try {
    writeFileSync(file, Buffer.alloc(roomBytes));
  } catch (thrown) {
    throw noRoom(thrown) ?? thrown;
  } finally {
    rmSync(file, { force: true });
  }
}

/** A disk that is full as an error that says so; undefined for anything else. */
export function noRoom(thrown: unknown): H2h3Error | undefined {
  const reason = unwritableReason(thrown);
  if (reason === undefined) return undefined;
  return new H2h3Error('storage', `nothing more can be written: ${reason}`, {
    next: 'Make room in ~/.cache/h2h3, then continue with `npx h2h3 run --resume DIR`.',
    cause: thrown,
  });
}
