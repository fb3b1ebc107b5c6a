import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { endOfText } from '../../../../src/core/model/cut-text.ts';
import { killTree } from '../../../../src/core/system/processes/kill-tree.ts';
import type { ClientLaunchOptions } from '../../client-driver.ts';
import type { RunningChromium } from './running-chromium.ts';
import { clientEnvironment } from '../../../../src/core/system/processes/trial-environment.ts';

const tailCharacters = 4000;

/** Chromium complains of a machine without D-Bus dozens of times; a page loads the same. */
const withoutMeaning = /^\[[^\]]*:ERROR:dbus\/.*(?:\n|$)/gm;

/** What the shell says of a script that a system starts the browser by: `/usr/bin/google-chrome: line 45: …`. */
const ofShell = /^\/\S+: (?:line )?\d+: .*(?:\n|$)/gm;

/** What a browser wrote on stderr, without what tells nothing; of the shell's lines nothing unless there are no others. */
export function meaningfulLines(stderr: string): string {
  const said = stderr.replace(withoutMeaning, '').trim();
  return said.replace(ofShell, '').trim() || said;
}

/** A started browser of the Chromium family: leader of its own process group, spoken to over two pipes. */
export class ChromiumProcess implements RunningChromium {
  readonly #child: ChildProcess;
  #stderr = '';
  readonly write: Writable;
  readonly read: Readable;
  /** Resolves with words for how the process ended, or why it could not be started. */
  readonly ended: Promise<string>;

  constructor(
    client: ClientLaunchOptions['client'],
    switches: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) {
    const argumentsGiven = ['--remote-debugging-pipe', ...switches];
    this.#child = spawn(client.executablePath, argumentsGiven, {
      detached: true,
      // Chromium reads commands from descriptor 3 and writes to 4.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...clientEnvironment(), ...environment, ...client.environment },
    });
    this.write = this.#child.stdio[3] as Writable;
    this.read = this.#child.stdio[4] as Readable;
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      const said = (this.#stderr + chunk).replace(withoutMeaning, (line) =>
        line.endsWith('\n') ? '' : line,
      );
      this.#stderr = endOfText(said, tailCharacters);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (cause) => resolve(cause.message));
      this.#child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines that the process wrote on stderr. */
  stderrTail(): string {
    return meaningfulLines(this.#stderr);
  }

  async kill(): Promise<void> {
    if (this.pid !== undefined) await killTree(this.pid);
  }
}
