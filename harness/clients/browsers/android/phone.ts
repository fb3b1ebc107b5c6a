import { shellWord } from '../../../../src/core/model/command-words.ts';
import { H2h3Error } from '../../../../src/core/model/errors.ts';
import { parseStat, type ProcessRow } from '../../../../src/core/system/processes/process-table.ts';
import { runProgram, tailOf, type RunProgram } from '../../../../src/core/system/run-program.ts';
import type { ClientIdentity } from '../../client.ts';

const commandLimitMs = 20_000;

/** A phone that adb reaches; which one stands in the environment of the program, as `ANDROID_SERIAL`. */
export class Phone {
  readonly #program: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #run: RunProgram;

  constructor(
    { executablePath, environment }: Pick<ClientIdentity, 'executablePath' | 'environment'>,
    run: RunProgram = runProgram,
  ) {
    this.#program = executablePath;
    this.#environment = { ...process.env, ...environment };
    this.#run = run;
  }

  /** What a command of adb prints. @throws H2h3Error `process-failed` with what adb or the phone says */
  async adb(...words: readonly string[]): Promise<string> {
    const environment = this.#environment;
    const { exitCode, stdout, stderr } = await this.#run(this.#program, words, {
      environment,
      timeoutMs: commandLimitMs,
    });
    if (exitCode === 0) return stdout.trim();
    throw new H2h3Error('process-failed', `adb ${words.join(' ').slice(0, 80)} failed`, {
      context: { got: tailOf(`${stdout}\n${stderr}`).trim() },
      next: 'Look whether the phone is unlocked, connected and allows debugging: adb devices',
    });
  }

  /** What a command prints on the phone. @throws H2h3Error `process-failed` */
  shell(command: string): Promise<string> {
    return this.adb('shell', command);
  }

  /** Processes of an app, from the phone's `/proc`; one that ends in between is left out. */
  async processesOf(app: string): Promise<ProcessRow[]> {
    const told = await this.shell(
      `ps -A -o PID,NAME | grep -F ${shellWord(app)} | while read p n; do echo "$p $n"; cat /proc/$p/stat || echo; done 2>/dev/null`,
    );
    const lines = told.split('\n');
    return lines.flatMap((line, index) => {
      const [, pid, name] = /^(\d+) ([^\s()]+)$/.exec(line.trim()) ?? [];
      const stat = lines[index + 1] ?? '';
      const isApp = name === app || name?.startsWith(`${app}:`) === true;
      return isApp && stat.includes(') ') ? [parseStat(Number(pid), stat, name)] : [];
    });
  }
}
