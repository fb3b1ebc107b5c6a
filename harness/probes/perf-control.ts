import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { H2h3Error, hasErrno, messageOf } from '../../src/core/model/errors.ts';
import { within } from '../clients/browsers/deadline.ts';

/** A loaded machine takes seconds to start or end a program; what perf wrote must be whole. */
const limitMs = 20_000;

/** A perf that counts or samples when told to. */
export interface ControlledPerf {
  readonly enable: () => Promise<void>;
  /** Ends it; resolves with what it said. */
  readonly end: () => Promise<string>;
}

/**
 * Starts `perf stat` or `perf record` with its events off. @throws H2h3Error `unsupported` with what perf said
 */
export async function startPerf(words: readonly string[], program = 'perf'): Promise<ControlledPerf> {
  const [verb = 'stat', ...others] = words;
  const child = spawn(program, [verb, '-D', '-1', '--control', 'fd:3,4', ...others], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  let text = '';
  const stderr = child.stderr as Readable;
  stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = once(child, 'close');
  const failed = ended.then(
    () => Promise.reject(unsupported(text)),
    (cause: unknown) =>
      Promise.reject(unsupported(hasErrno(cause, 'ENOENT') ? 'there is no perf' : messageOf(cause))),
  );
  failed.catch(() => undefined); // told to the caller that waits for an answer
  await Promise.race([answerTo(child, 'ping', verb), failed]);
  return {
    enable: () => Promise.race([answerTo(child, 'enable', verb), failed]),
    end: async () => {
      child.kill('SIGINT');
      await within(ended, limitMs, `perf ${verb}`);
      return text;
    },
  };
}

function unsupported(said: string): H2h3Error {
  return new H2h3Error('unsupported', `perf cannot record here: ${reasonIn(said)}`, {
    next: 'Install perf (linux-perf) and run as root, or with kernel.perf_event_paranoid at −1 and tracefs readable.',
  });
}

/** Its reason is followed by many lines of advice, which `next` has in one. */
function reasonIn(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const told = lines.filter((line) => /limited|denied|not permitted|error|invalid|no such/i.test(line));
  return (told.length > 0 ? told.slice(0, 2) : lines.filter(Boolean).slice(-2)).join(' ');
}

/** perf acknowledges each word with `ack` (perf-stat(1) and perf-record(1), `--control`). */
async function answerTo(child: ChildProcess, word: string, verb: string): Promise<void> {
  const control = child.stdio[3] as Duplex;
  const answer = child.stdio[4] as Readable;
  control.on('error', () => undefined); // a perf that ended says why on its standard error
  control.write(`${word}\n`);
  await within(once(answer, 'data'), limitMs, `perf ${verb}`);
}
