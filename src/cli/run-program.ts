import { realpathSync } from 'node:fs';
import { CommanderError, type Command } from 'commander';
import { packageDir, ownVersion } from '../app/version.ts';
import { shellWord } from '../core/model/command-words.ts';
import { foreignWords } from '../core/model/errors.ts';
import { exitCodes, type ExitCode } from '../core/model/exit-codes.ts';
import type { ProgramWords } from '../core/model/program-words.ts';
import { withoutUserInformation } from '../core/model/user-information.ts';
import type { CommandContext } from './commands/command.ts';
import { GuidedCommand, usageStep } from './guided-command.ts';
import { narrowestToWrap } from './grouped-help.ts';
import { plainText } from './plain-text.ts';
import { printError } from './print-error.ts';

/** Where a command line is carried out: what commands need, and where text goes. */
export interface CommandPlace extends Pick<
  CommandContext,
  'progress' | 'signal' | 'passSignals' | 'environment'
> {
  readonly writeOut: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** What a program is called, and what it has. */
export interface ProgramParts {
  readonly words: ProgramWords;
  readonly description: string;
  /** Adds options and commands; `exit` sets the exit code of one that ends without an error. @throws H2h3Error `usage` */
  readonly add: (program: Command, context: CommandContext, exit: (code: number) => void) => void;
  /** Of every refusal of what was typed. Default: that of usage. */
  readonly refusalCode?: ExitCode;
}

/** Carries out a command line, and says what went wrong. @returns its exit code */
export async function runProgram(
  { words, description, add, refusalCode = exitCodes.usage }: ProgramParts,
  argv: readonly string[],
  place: CommandPlace,
): Promise<number> {
  const { progress, signal, passSignals, environment, writeOut, writeError } = place;
  const { name } = words;
  const projectDir = realpathSync(packageDir());
  const context: CommandContext = {
    projectDir,
    progress,
    signal,
    passSignals,
    environment,
    words: argv,
    program: words,
    print: (text) => writeOut(plainText(text.endsWith('\n') ? text : `${text}\n`)),
    command: withoutUserInformation([name, ...argv].map(shellWord).join(' ')),
  };
  let exitCode: number = exitCodes.ok;
  const acting: { command?: Command } = {};
  const program = new GuidedCommand(name)
    .description(description)
    .version(ownVersion(projectDir))
    .showSuggestionAfterError()
    .configureHelp({ minWidthToWrap: narrowestToWrap })
    .exitOverride()
    .configureOutput({ writeOut, writeErr: (text) => writeError(plainText(text)) });
  try {
    program.hook('preAction', (_, action) => {
      acting.command = action;
    });
    add(program, context, (code) => (exitCode = code));
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (thrown) {
    progress.clear();
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.ok : refusalCode;
    // Whatever was under way was given up because the user asked for it.
    if (thrown instanceof Error && thrown.name === 'AbortError' && signal.aborted)
      return exitCodes.interrupted;
    // A terminal's Ctrl-C ends the bundler of the report's scripts too, which then does not answer.
    if (signal.aborted && foreignWords(thrown).startsWith('The service was stopped')) {
      progress.say('stopped while the report was written; `npx h2h3 report DIR` writes it');
      return exitCodes.interrupted;
    }
    const usualNext = acting.command === undefined ? undefined : usageStep(acting.command);
    const code = printError(thrown, (line) => progress.say(line), { words, usualNext });
    return code === exitCodes.usage ? refusalCode : code;
  }
}
