import { spawn, type ChildProcess } from 'node:child_process';
import { endOfText } from '../../../../src/core/model/cut-text.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { clientEnvironment } from '../../../../src/core/system/processes/trial-environment.ts';

const tailCharacters = 4000;
const endpointLine = /^WebDriver BiDi listening on (ws:\/\/\S+)$/m;

export interface FirefoxProcessOptions {
  readonly executablePath: string;
  readonly arguments: readonly string[];
  /** Added to the environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A started Firefox and what it writes on stderr. It leads a process group of its own, by which its tree can be found. */
export class FirefoxProcess {
  readonly #child: ChildProcess;
  #stderr = '';
  /** Resolves with the address of the BiDi server, as soon as Firefox names it. */
  readonly endpoint: Promise<string>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;

  constructor(options: FirefoxProcessOptions) {
    this.#child = spawn(options.executablePath, options.arguments, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...clientEnvironment(), ...options.environment },
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
    this.endpoint = new Promise((resolve, reject) => {
      this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#stderr = endOfText(this.#stderr + chunk, tailCharacters);
        const endpoint = endpointLine.exec(this.#stderr)?.[1];
        if (endpoint !== undefined) resolve(endpoint);
      });
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) =>
        reject(new H2h3Error('process-failed', `Firefox ended at once (${signal ?? `exit code ${code}`})`)),
      );
    });
    this.endpoint.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines that the process wrote on stderr. */
  stderrTail(): string {
    return this.#stderr.trim();
  }
}
