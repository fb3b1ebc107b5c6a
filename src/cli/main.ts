import { hasErrno } from '../model/errors.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { plainText } from './plain-text.ts';
import { printError } from './print-error.ts';
import { runCommandLine } from './program.ts';
import { TerminalProgress } from './progress.ts';

/** Signals closer than this are one: terminal, npm and launcher all pass Ctrl-C on. */
const sameSignalMs = 1_000;

/** Aborts on Ctrl-C, on SIGTERM, and when the launcher is gone; a second Ctrl-C ends at once. */
function stopSignal(progress: TerminalProgress): AbortSignal {
  const controller = new AbortController();
  let stoppedAtMs = 0;
  const stop = (what: string): void => {
    if (controller.signal.aborted) return;
    stoppedAtMs = performance.now();
    progress.say(`${what}: ending browsers and servers …`);
    controller.abort();
  };
  const stopOrExit = (what: string): void => {
    const insists = controller.signal.aborted && performance.now() - stoppedAtMs > sameSignalMs;
    if (insists) process.exit(exitCodes.interrupted);
    stop(what);
  };
  process.on('SIGINT', () => stopOrExit('interrupted'));
  process.on('SIGTERM', () => stopOrExit('asked to end'));
  process.on('SIGHUP', () => stop('terminal gone'));
  if (process.connected) {
    process.on('disconnect', () => stop('launcher gone'));
    process.channel?.unref();
  }
  return controller.signal;
}

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

const progress = new TerminalProgress();
endOnClosedPipe();
endInWords(progress);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  progress,
  signal: stopSignal(progress),
  environment: process.env,
  writeOut: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
});
