import { hasErrno } from '../core/model/errors.ts';
import { exitCodes } from '../core/model/exit-codes.ts';
import { plainText } from './plain-text.ts';
import { printError } from './print-error.ts';
import { TerminalProgress } from './progress.ts';
import type { CommandPlace } from './run-program.ts';
import { StopSignals } from './stop-signals.ts';

/** A reader that has seen enough, such as `head`, closes the pipe: that is no fault. */
function endOnClosedPipe(): void {
  process.stdout.on('error', (cause) => {
    if (hasErrno(cause, 'EPIPE')) process.exit(exitCodes.ok);
    process.exit(printError(cause, (line) => void process.stderr.write(`${plainText(line)}\n`)));
  });
  // Progress that is no longer read, because npm or the terminal is gone, must not keep a run from ending well.
  process.stderr.on('error', (cause) => {
    if (!hasErrno(cause, 'EPIPE') && !hasErrno(cause, 'EIO')) throw cause;
  });
}

/** Node would print all that an error holds, such as the arguments of the command by which a queue was logged in to. */
function endInWords(progress: TerminalProgress): void {
  process.on('uncaughtException', (thrown) => process.exit(printError(thrown, (line) => progress.say(line))));
}

/** This process as the place of a command line: its terminal, its signals, and an end in words whatever happens. */
export function ownProcess(): CommandPlace {
  const progress = new TerminalProgress();
  endOnClosedPipe();
  endInWords(progress);
  const stopSignals = new StopSignals(progress);
  return {
    progress,
    signal: stopSignals.signal,
    passSignals: stopSignals.pass,
    environment: process.env,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  };
}
