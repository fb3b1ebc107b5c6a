import { createSetupContext, type SetupContext } from '../../harness/tools/setup-context.ts';
import type { ProgramWords } from '../core/model/program-words.ts';
import type { ProgressReporter } from '../core/model/workload.ts';

/** Where a use case says how far it is; the command line writes it to the terminal, a program may do otherwise. */
export interface Progress {
  /** A line that stays. */
  say(line: string): void;
  /** A line that the next one replaces. */
  show(line: string): void;
  /** Takes away the line last shown. */
  clear(): void;
  /** Steps of set-up and encoding. */
  readonly reporter: ProgressReporter;
}

/** What a use case needs of the process around it; its starter makes it once. */
export interface AppContext {
  readonly projectDir: string;
  readonly progress: Progress;
  /** Given when the user or the system asks to stop. */
  readonly signal: AbortSignal;
  /** The command line as typed, without the interpreter and without passwords of addresses: it goes into documents. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What sentences call the program that asks. Default: h2h3's. */
  readonly program?: ProgramWords;
}

/** Context of set-up and detection for a use case. @throws H2h3Error `storage` when no cache folder can be written. */
export function setupContextOf(context: AppContext): Promise<SetupContext> {
  const cacheDir = context.environment['H2H3_CACHE'];
  return createSetupContext({
    projectDir: context.projectDir,
    signal: context.signal,
    progress: context.progress.reporter,
    ...(context.program === undefined ? {} : { program: context.program }),
    ...(cacheDir === undefined ? {} : { cacheDir }),
  });
}
