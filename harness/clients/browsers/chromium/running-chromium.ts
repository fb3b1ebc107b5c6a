import type { Readable, Writable } from 'node:stream';
import type { ProcessRow } from '../../../../src/core/system/processes/process-table.ts';

/** A started browser of the Chromium family, wherever it runs: messages of its protocol, each ended by a zero byte. */
export interface RunningChromium {
  /** Undefined: none of this machine's processes. */
  readonly pid: number | undefined;
  readonly write: Writable;
  readonly read: Readable;
  /** Resolves with words for how it ended, or why it could not be started. */
  readonly ended: Promise<string>;
  /** The last lines that it wrote on stderr. */
  stderrTail(): string;
  /** Ends it by force; resolves when it is gone. */
  kill(): Promise<void>;
  /** Of one on another machine: its processes there. */
  processes?(): Promise<readonly ProcessRow[]>;
}
