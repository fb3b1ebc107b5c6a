import { createSetupContext, type SetupContext } from '../../harness/setup/setup-context.ts';
import { Progress } from './progress.ts';

/** What a command needs of the process around it; `main.ts` makes it once. */
export interface CommandContext {
  readonly projectDir: string;
  readonly progress: Progress;
  /** Given when the user or the system asks to stop. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  /** The command line as typed, without the interpreter. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Context of set-up and detection for this command. @throws H2h3Error `storage` when no cache folder can be written. */
export function setupContextOf(context: CommandContext): Promise<SetupContext> {
  const cacheDir = context.environment['H2H3_CACHE'];
  return createSetupContext({
    projectDir: context.projectDir,
    signal: context.signal,
    progress: context.progress.reporter,
    ...(cacheDir === undefined ? {} : { cacheDir }),
  });
}
