import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { H2h3Error } from '../../../src/core/model/errors.ts';
import type { LiveAccess } from '../../../src/core/model/live-access.ts';
import { journeyStepSchema, type JourneyStep } from '../../../src/core/model/raw-trial.ts';
import { timelineSchema, type Timeline } from '../../../src/core/model/timeline.ts';
import { afterEvents } from '../../../src/core/system/after-events.ts';
import { moduleFile } from '../../../src/core/system/module-file.ts';
import { killTree } from '../../../src/core/system/processes/kill-tree.ts';
import { underLockLimit } from '../../../src/core/system/processes/lock-limit.ts';
import { killLimited, limitForCommand } from '../../../src/core/system/processes/marked-processes.ts';
import type { BrowserSession } from '../browsers/browser.ts';
import { PipeTransport } from '../browsers/chromium/pipe-transport.ts';
import type { JourneyPort } from '../browsers/journey-port.ts';
import { markStepExpression, readStepExpression } from '../browsers/page-script.ts';
import { lookAtFailure, type SeenFailure } from './look-at-failure.ts';
import type { JourneyMessage, JourneyOrder, JourneyPart } from './journey-script.ts';
import { nextOfScript } from '../script-fault.ts';
import { directEnvironment } from '../../../src/core/system/processes/trial-environment.ts';

export interface JourneyRequest {
  readonly scriptFile: string;
  readonly part: JourneyPart;
  readonly url: string;
  /** For temporary files of the script's process, made where it is not there. The caller removes it. */
  readonly temporaryDir: string;
  readonly stepLimitMs: number;
  /** How long the network must be quiet after a step. */
  readonly quietMs: number;
  /** Time left for all of it, ms. */
  readonly leftMs: () => number;
  readonly acceptsAnyCertificate: boolean;
  /** Variables that the script's process gets besides this one's. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Takes each step when it was read. */
  readonly keep: (step: JourneyStep) => void;
  /** Takes what the page kept of the step's requests. */
  readonly keepTimeline?: (timeline: Timeline) => void;
  /** Takes each secret that the script asked for. */
  readonly keepSecret: (secret: string) => void;
  /** What must not be shown, with what the script asked for. Default: nothing. */
  readonly secrets?: () => readonly string[];
  /** Takes what the page showed when the script failed. */
  readonly keepFailure?: (seen: SeenFailure) => void;
}

/** What the part before the measured one left; null where the script has none. */
type JourneyState = LiveAccess['state'] | null;

/** As much of a browser as a script needs. */
export type DrivenBrowser = Pick<BrowserSession, 'openJourney' | 'waitUntilQuiet'>;

/** What the browser needs before a script begins: the time for its program to load. */
const startLimitMs = 30_000;

/**
 * Libraries give up after 30 s, which a page over a slow link is not shown within. They have as long as a step, but for this: what they
 * waited for is in their message.
 */
const tellingMs = 2_000;

/** What a script's failure says of itself. */
type ScriptFault = Partial<Pick<Extract<JourneyMessage, { type: 'failed' }>, 'where' | 'unsetVariable'>>;

interface UnderWay {
  readonly name: string;
  readonly where: string;
  readonly mark: unknown;
  /** On the clock of `performance.now()`. */
  readonly begunMs: number;
}

/** The script's own fault, or its deadline. */
const isOfScript = ({ code }: H2h3Error): boolean => code === 'bad-input' || code === 'deadline';

/**
 * Has the user's script drive a browser that is recorded, step by step; nothing of it is left running.
 *
 * @throws H2h3Error `bad-input` naming script, step and line for one that throws, does not settle, opens windows or closes its page
 */
export async function runJourney(browser: DrivenBrowser, request: JourneyRequest): Promise<JourneyState> {
  const port = await browser.openJourney();
  const program = moduleFile('./journey-program.ts', import.meta.url);
  // Playwright takes its own folder away only where it closes the browser, which is not its to close.
  await mkdir(request.temporaryDir, { recursive: true });
  const env = { ...directEnvironment(), ...request.environment, TMPDIR: request.temporaryDir };
  const limit = limitForCommand(env);
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', program, request.scriptFile];
  const [command = '', ...args] = underLockLimit(limit, words);
  const child = spawn(command, args, {
    // What the script prints may hold secrets.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', 'ipc'],
    env,
    detached: true,
  });
  try {
    return await new Conversation(browser, port, child, request).ended();
  } finally {
    if (child.pid !== undefined) await killTree(child.pid);
    await killLimited(limit);
  }
}

const stepAnswerSchema = z.looseObject({ timeline: timelineSchema });

/** What is said between the program that runs the script and the harness. */
class Conversation {
  readonly #browser: DrivenBrowser;
  readonly #port: JourneyPort;
  readonly #child: ChildProcess;
  readonly #request: JourneyRequest;
  #step: UnderWay | null = null;
  #forgetLimit: () => void = () => undefined;
  #stop: (why: H2h3Error) => void = () => undefined;
  readonly #begunMs = performance.now();

  constructor(browser: DrivenBrowser, port: JourneyPort, child: ChildProcess, request: JourneyRequest) {
    this.#browser = browser;
    this.#port = port;
    this.#child = child;
    this.#request = request;
    const [, , , toScript, fromScript] = child.stdio;
    const pipe = new PipeTransport(toScript as Writable, fromScript as Readable);
    pipe.onmessage = (message) => port.send(message);
    port.onMessage = (message) => pipe.send(message);
  }

  async ended(): Promise<JourneyState> {
    const { leftMs } = this.#request;
    const stopped = new Promise<never>((_, reject) => (this.#stop = reject));
    stopped.catch(() => undefined);
    const done = new Promise<JourneyState>((resolve) => {
      this.#child.on('message', (message: JourneyMessage) => {
        this.#heard(message, resolve).catch((thrown: unknown) => this.#stop(thrown as H2h3Error));
      });
    });
    this.#child.once('error', (error) => this.#stop(this.#wrong(`could not be run: ${error.message}`)));
    this.#child.once('exit', () => this.#stop(this.#wrong('ended the process that it ran in')));
    void this.#port.misdeed.then((what) => this.#stop(this.#wrong(`${what}: a journey has one page`)));
    this.#request.signal?.addEventListener('abort', () =>
      this.#stop(new H2h3Error('interrupted', 'interrupted in a script')),
    );
    const forgetDeadline = afterEvents(leftMs(), () => this.#stop(this.#late()));
    try {
      this.#limit(startLimitMs + this.#request.stepLimitMs);
      this.#order();
      return await Promise.race([done, stopped, this.#port.gone]);
    } catch (thrown) {
      await this.#show(thrown);
      throw thrown;
    } finally {
      forgetDeadline();
      this.#forgetLimit();
    }
  }

  #order(): void {
    const { scriptFile, part, url, acceptsAnyCertificate, stepLimitMs } = this.#request;
    const { protocol } = this.#port;
    const waitLimitMs = Math.max(stepLimitMs / 2, stepLimitMs - tellingMs);
    this.#tell({ type: 'run', scriptFile, part, url, acceptsAnyCertificate, protocol, waitLimitMs });
  }

  #tell(order: JourneyOrder): void {
    // One that is gone is told of by its end.
    this.#child.send(order, () => undefined);
  }

  async #heard(message: JourneyMessage, done: (state: JourneyState) => void): Promise<void> {
    switch (message.type) {
      case 'secret':
        this.#request.keepSecret(message.value);
        return;
      case 'step': {
        const { name, where } = message;
        const mark = await this.#port.evaluate(markStepExpression);
        this.#step = { name, where, mark, begunMs: performance.now() };
        this.#limit(this.#request.stepLimitMs);
        return this.#tell({ type: 'go' });
      }
      case 'stepped':
        await this.#read(message);
        this.#limit(this.#request.stepLimitMs);
        return this.#tell({ type: 'go' });
      case 'failed':
        throw this.#wrong(`failed: ${message.message}`, message);
      case 'done':
        done(message.state);
    }
  }

  async #read({ startEpochMs, endEpochMs }: { startEpochMs: number; endEpochMs: number }): Promise<void> {
    const step = this.#step;
    if (step === null) return;
    const { quietMs, leftMs, keep, keepTimeline } = this.#request;
    const quiet = await this.#browser.waitUntilQuiet(quietMs, leftMs());
    const answer: unknown = JSON.parse(String(await this.#port.evaluate(readStepExpression(step.mark))));
    const { timeline, ...told } = stepAnswerSchema.parse(answer);
    keepTimeline?.(timeline);
    const { name, where } = step;
    this.#step = null;
    keep(journeyStepSchema.parse({ name, where, startEpochMs, endEpochMs, quiet, ...told }));
  }

  /** What is seen of the page that a script failed on; nothing after a browser that is gone. */
  async #show(thrown: unknown): Promise<void> {
    const { keepFailure, secrets = () => [] } = this.#request;
    if (keepFailure === undefined || !(thrown instanceof H2h3Error) || !isOfScript(thrown)) return;
    const nowMs = performance.now();
    const step = this.#step;
    const { screenshot, ...page } = await lookAtFailure(this.#port, secrets());
    const isShown = Buffer.isBuffer(screenshot);
    keepFailure({
      failure: {
        message: thrown.message,
        step: step?.name ?? null,
        stepMs: step === null ? null : nowMs - step.begunMs,
        journeyMs: nowMs - this.#begunMs,
        ...page,
        console: [...page.console],
        ...(isShown ? {} : { noScreenshot: screenshot.why }),
      },
      screenshot: isShown ? screenshot : null,
    });
  }

  #limit(limitMs: number): void {
    this.#forgetLimit();
    this.#forgetLimit = afterEvents(limitMs, () =>
      this.#stop(this.#wrong(`did not settle within ${Math.round(limitMs / 1000)} s`)),
    );
  }

  #late(): H2h3Error {
    return new H2h3Error('deadline', `the journey${this.#place()} had not ended at its deadline`);
  }

  #place(): string {
    return this.#step === null ? '' : `, in step "${this.#step.name}" (${this.#step.where}),`;
  }

  #wrong(why: string, { where, unsetVariable }: ScriptFault = {}): H2h3Error {
    const { scriptFile } = this.#request;
    const line = where ?? this.#step?.where ?? scriptFile;
    const inStep = this.#step === null ? 'outside its steps' : `in step "${this.#step.name}"`;
    return new H2h3Error('bad-input', `the journey ${line} ${inStep} ${why}`, {
      next: nextOfScript(unsetVariable),
    });
  }
}
