import { H2h3Error, messageOf } from './errors.ts';

/** Errors that say what this machine has no more of or does not do; whatever else the system says is about what was named. */
const ofMachine: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EIO: 'the disk gives errors',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
  ENOMEM: 'there is no memory left',
  EAGAIN: 'there are no more processes to be had',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the other side ended the connection',
  ETIMEDOUT: 'it took too long to answer',
  ENOTFOUND: 'the name is not known',
};

const nameFaults: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  ENOTEMPTY: 'the folder is not empty',
  EEXIST: 'it is there already',
  ELOOP: 'its symbolic links lead in a circle, or are not followed here',
  ENAMETOOLONG: 'the name is too long',
  EXDEV: 'it lies on another file system',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is a program that runs',
};

interface SystemFailure extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly dest?: string;
  readonly address?: string;
  readonly port?: number;
}

/** What Node throws when a call of the system fails: it names the call. */
function isSystemFailure(thrown: unknown): thrown is SystemFailure {
  const { code, syscall } = thrown instanceof Error ? (thrown as Partial<SystemFailure>) : {};
  return typeof code === 'string' && typeof syscall === 'string';
}

function subjectOf({ path, dest, address, port, syscall }: SystemFailure): string {
  if (path !== undefined) return dest === undefined ? path : `${path} (to ${dest})`;
  if (address !== undefined) return port === undefined ? address : `${address}, port ${port}`;
  return `The system's ${syscall}`;
}

/**
 * An error of the system that was not put into words where it happened, as one that a user can act on:
 * `bad-input` about what was named, `unsupported` where it is about the machine. Undefined for whatever is no error of
 * the system.
 */
export function systemError(thrown: unknown): H2h3Error | undefined {
  if (!isSystemFailure(thrown)) return undefined;
  const { code, syscall } = thrown;
  const place = subjectOf(thrown);
  const machine = ofMachine[code];
  const reason = machine ?? nameFaults[code] ?? messageOf(thrown);
  const about = machine !== undefined || (thrown.path ?? thrown.address) === undefined;
  return new H2h3Error(about ? 'unsupported' : 'bad-input', `${place}: ${reason}`, {
    context: { 'what the system said': `${code} (${syscall})` },
    cause: thrown,
  });
}
