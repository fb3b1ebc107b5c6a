import { H2h3Error, hasErrno, unwritableReason } from '../model/errors.ts';

/** Whether an error of `storageError` says that nothing can be written there any more: no room, or no permission. */
export function isLackOfRoom(thrown: unknown): boolean {
  if (!(thrown instanceof H2h3Error) || thrown.code !== 'storage') return false;
  return unwritableReason(thrown.cause) !== undefined || hasErrno(thrown.cause, 'EACCES');
}
