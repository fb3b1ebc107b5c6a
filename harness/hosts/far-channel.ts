import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { parseForeignJson } from '../../src/core/model/bounded-json.ts';
import { endOfText } from '../../src/core/model/cut-text.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { withoutSteering } from '../../src/core/model/steering-characters.ts';
import { clockOffsetOf, type ClockOffset } from './far-clock.ts';
import {
  farCalls,
  farLineSchema,
  pingEveryMs,
  silenceLimitMs,
  type Answered,
  type Asked,
  type FarCall,
  type FarError,
  type FarLine,
} from './far-protocol.ts';
import { foreignText } from './foreign-text.ts';
import { onLines } from './lines.ts';

/** What one request brought. */
export interface Answer<Call extends FarCall> {
  readonly answered: Answered<Call>;
  /** Of the far clock, by this request's own times. */
  readonly clock: ClockOffset;
}

export interface ChannelEvents {
  /** A server of the far end, or a program behind it, is not there any more. */
  readonly died: (server: number, part: string) => void;
  readonly progress: (title: string) => void;
}

const stderrKept = 4000;
const closeLimitMs = 10_000;
/** A slow machine starts Node in seconds. */
const startLimitMs = 60_000;
const readLimitMs = 500;

const promptMs = 2 * 60_000;
/**
 * After so long without an answer the connection is lost. The other calls fetch programs, start servers or measure, for as long as that
 * takes there: their ends are the program's own.
 */
const callLimitsMs: Partial<Record<FarCall, number>> = {
  hello: startLimitMs,
  loaded: promptMs,
  order: promptMs,
  files: promptMs,
  filePart: promptMs,
  release: promptMs,
  counters: promptMs,
  networkCounts: promptMs,
  noise: promptMs,
  doctor: promptMs,
};

/**
 * What these calls have begun or ended is not known when their answer is none, and only the end of the connection ends all of it.
 * Of any other call that fails who asked, and nothing else.
 */
const leavesUnknown: ReadonlySet<FarCall> = new Set<FarCall>([
  'hello',
  'claim',
  'takeOver',
  'start',
  'stop',
  'measure',
  'measured',
  'worker',
  'release',
  'startNetwork',
  'stopNetwork',
]);

interface Waiting {
  readonly call: FarCall;
  readonly askedEpochMs: number;
  readonly resolve: (answer: Answer<FarCall>) => void;
  readonly reject: (cause: Error) => void;
}

/** What a line says. @throws H2h3Error `bad-input` for one that is none of the protocol */
export function readFarLine(line: string, host: string): FarLine {
  try {
    return farLineSchema.parse(parseForeignJson(line));
  } catch (cause) {
    throw new H2h3Error('bad-input', `${host} said what no h2h3 says: ${foreignText(line)}`, { cause });
  }
}

/** What was asked for. @throws H2h3Error `bad-input` where it is something else, with the first field that is */
export function readAnswer<Call extends FarCall>(
  call: Call,
  answered: unknown,
  host: string,
): Answered<Call> {
  const parsed = farCalls[call].answers.safeParse(answered);
  if (parsed.success) return parsed.data as Answered<Call>;
  const [issue] = parsed.error.issues;
  const why = issue === undefined ? '' : `: ${issue.path.map(String).join('.')}: ${issue.message}`;
  throw new H2h3Error('bad-input', foreignText(`${host} gave an answer to "${call}" that is none${why}`), {
    cause: parsed.error,
  });
}

/** An error of the far end as one of ours. */
function farError(host: string, { code, message, next, stderrTail }: FarError): H2h3Error {
  const tail = stderrTail === undefined ? undefined : withoutSteering(endOfText(stderrTail, stderrKept));
  return new H2h3Error(code, `on ${host}: ${foreignText(message)}`, {
    ...(next === undefined ? {} : { next: `There: ${foreignText(next)}` }),
    ...(tail === undefined ? {} : { context: { stderrTail: tail } }),
  });
}

/** Requests to the program at the other end of a process's standard input and output, and its answers. */
export class FarChannel {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #host: string;
  readonly #events: ChannelEvents;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 0;
  #failure: H2h3Error | undefined;
  #stderr = '';
  #pingedMs: number | undefined;

  /** @param host as the user named it, for messages */
  constructor(child: ChildProcessWithoutNullStreams, host: string, events: ChannelEvents) {
    this.#child = child;
    this.#host = host;
    this.#events = events;
    this.#ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    onLines(
      child.stdout,
      (line) => this.#hear(line),
      () => this.#lose('a line without an end'),
    );
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (this.#stderr = endOfText(this.#stderr + text, stderrKept)));
    child.stdin.on('error', () => undefined); // a program that is gone is told of by its end
    child.on('error', (cause) => this.#lose(cause.message));
    child.on('close', (code, signal) => this.#lose(this.#lastWords() ?? signal ?? `exit code ${code}`));
  }

  /** What the other end says of itself; from then on its silence is taken for a loss. @throws H2h3Error as `ask` */
  async begin(): Promise<Answer<'hello'>> {
    const hello = await this.ask('hello', {});
    this.#timer = setInterval(() => this.#ping(), pingEveryMs);
    this.#timer.unref();
    return hello;
  }

  /**
   * @param limitMs after so long without an answer the connection is lost. Default: by the call, see `callLimitsMs`
   * @throws H2h3Error as the far end says, with its name before it; `process-failed` where the connection is lost before the
   * answer, `bad-input` where that is none of ours: the connection stays then, but for calls of `leavesUnknown`
   */
  ask<Call extends FarCall>(
    call: Call,
    asked: Asked<Call>,
    limitMs = callLimitsMs[call],
  ): Promise<Answer<Call>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    const promised = Promise.withResolvers<Answer<FarCall>>();
    const { resolve, reject } = promised;
    this.#waiting.set(id, { call, askedEpochMs: Date.now(), resolve, reject });
    this.#child.stdin.write(`${JSON.stringify({ id, call, asked })}\n`);
    const answer = limitMs === undefined ? promised.promise : this.#within(limitMs, call, promised.promise);
    // An answer is read by the schema of its own call.
    return answer;
  }

  async #within<Result>(limitMs: number, call: FarCall, answer: Promise<Result>): Promise<Result> {
    const late = `no answer to "${call}" within ${Math.round(limitMs / 1000)} s`;
    const timer = setTimeout(() => this.#lose(late), limitMs);
    return answer.finally(() => clearTimeout(timer));
  }

  /** Why nothing more comes; undefined while the other end answers. */
  lost(): H2h3Error | undefined {
    return this.#failure;
  }

  /** Closes the other end's standard input, which ends it; resolves when the process here has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#child.stdin.end();
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), closeLimitMs);
    await this.#ended;
    clearTimeout(limit);
  }

  #hear(line: string): void {
    if (this.#failure !== undefined) return;
    try {
      this.#take(readFarLine(line, this.#host));
    } catch (thrown) {
      this.#fail(
        thrown instanceof H2h3Error
          ? thrown
          : new H2h3Error('internal', messageOf(thrown), { cause: thrown }),
      );
    }
  }

  #take(said: FarLine): void {
    if ('event' in said) {
      if (said.event === 'died') this.#events.died(said.server, foreignText(said.part));
      else if (said.event === 'refused') this.#fail(farError(this.#host, said.error));
      else this.#events.progress(foreignText(said.title));
      return;
    }
    const asked = this.#waiting.get(said.id);
    if (asked === undefined) throw new H2h3Error('bad-input', `${this.#host} answered what was not asked`);
    if ('error' in said) {
      this.#waiting.delete(said.id);
      return asked.reject(farError(this.#host, said.error));
    }
    const clock = clockOffsetOf({ ...asked, ...said, gotEpochMs: Date.now() });
    let answered: Answered<FarCall>;
    try {
      answered = readAnswer(asked.call, said.answered, this.#host);
    } catch (thrown) {
      if (!(thrown instanceof H2h3Error) || leavesUnknown.has(asked.call)) throw thrown;
      this.#waiting.delete(said.id);
      return asked.reject(thrown);
    }
    this.#waiting.delete(said.id);
    asked.resolve({ answered, clock });
  }

  #ping(): void {
    const sinceMs = this.#pingedMs;
    if (sinceMs === undefined) {
      this.#pingedMs = performance.now();
      const answered = (): void => void (this.#pingedMs = undefined);
      // What is wrong with the answer is told to whatever else is asked: the other end is there.
      this.ask('ping', {}).then(answered, answered);
    } else if (performance.now() - sinceMs > silenceLimitMs)
      // What came while this process was busy is read first.
      setTimeout(() => {
        if (this.#pingedMs === sinceMs) this.#lose(`no answer within ${silenceLimitMs / 1000} s`);
      }, readLimitMs).unref();
  }

  #lose(what: string): void {
    this.#fail(
      new H2h3Error('process-failed', `the connection to ${this.#host} was lost: ${what}`, {
        context: { stderrTail: withoutSteering(this.#stderr.trim()) },
      }),
    );
  }

  #fail(error: H2h3Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    clearInterval(this.#timer);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#child.kill('SIGKILL');
  }

  /** The last line of what ssh or the far program complained of. */
  #lastWords(): string | undefined {
    const line = this.#stderr.trim().split('\n').at(-1) ?? '';
    return line === '' ? undefined : foreignText(line);
  }
}
