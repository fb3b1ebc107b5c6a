/**
 * One error type for everything that a user may have to act on.
 *
 * `code` decides the exit code (see `exit-codes.ts`), `context` says where it happened
 * (client, workload, network, arm, block, file, line …), `next` says what to do about it.
 */
export type ErrorCode =
  /** Unknown preset, workload, client or flag; malformed plan; impossible value. */
  | 'usage'
  /** Input that could not be read or is not what it claims to be (file, line, expected, got). */
  | 'bad-input'
  /** This machine lacks a program, a permission or a kernel feature. */
  | 'unsupported'
  /** A program that was started failed; its last lines of stderr are in the context. */
  | 'process-failed'
  /** Something took longer than its deadline. */
  | 'deadline'
  /** The disk is full, or a folder cannot be written. */
  | 'storage'
  /** The user asked to stop. */
  | 'interrupted'
  /** A fault of h2h3 itself. */
  | 'internal';

export interface ErrorContext {
  readonly expected?: string;
  readonly got?: string;
  readonly file?: string;
  readonly line?: number;
  readonly stderrTail?: string;
  readonly [key: string]: string | number | boolean | undefined;
}

export interface H2h3ErrorOptions {
  readonly context?: ErrorContext;
  /** What the user can do next, as a sentence or a command. */
  readonly next?: string;
  readonly cause?: unknown;
}

export class H2h3Error extends Error {
  readonly code: ErrorCode;
  readonly context: ErrorContext;
  readonly next: string | undefined;

  constructor(code: ErrorCode, message: string, options: H2h3ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'H2h3Error';
    this.code = code;
    this.context = options.context ?? {};
    this.next = options.next === '' ? undefined : options.next;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What a library or a program says in an error of its own; nothing of an error of ours, which has a code to go by. */
export function foreignWords(thrown: unknown): string {
  return thrown instanceof H2h3Error ? '' : messageOf(thrown);
}

/** Errors that say a file cannot be written, whatever is tried: they end a run rather than lose its trials. */
const unwritable: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
};

/** Why nothing can be written any more, in words; undefined when that is not what was thrown. */
export function unwritableReason(thrown: unknown): string | undefined {
  return Object.entries(unwritable).find(([code]) => hasErrno(thrown, code))?.[1];
}

/** Whether `thrown` is a Node system error with this code, such as `ENOENT`. */
export function hasErrno(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

/** For `catch`: this value where what was asked for is not there (`ENOENT`, or one of these codes); all else is thrown on. */
export function ifAbsent<Value>(value: Value, ...alsoCodes: readonly string[]): (thrown: unknown) => Value {
  return (thrown) => {
    if (['ENOENT', ...alsoCodes].some((code) => hasErrno(thrown, code))) return value;
    throw thrown;
  };
}

/** What `look` finds; where that is not there, `value`, as `ifAbsent` has it. */
export function foundOr<Found, Value>(
  look: () => Found,
  value: Value,
  ...alsoCodes: readonly string[]
): Found | Value {
  try {
    return look();
  } catch (thrown) {
    return ifAbsent(value, ...alsoCodes)(thrown);
  }
}
