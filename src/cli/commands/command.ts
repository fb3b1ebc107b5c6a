import type { Command } from 'commander';
import type { AppContext } from '../../app/app-context.ts';
import type { TerminalOptions } from '../../app/texts.ts';
import { usualWidth, widthOf } from '../table.ts';
import { wantsColour } from '../terminal.ts';
import { wholeNumber } from '../../app/whole-number.ts';

/** What the commands have beyond the use cases: a terminal to answer on. */
export interface CommandContext extends AppContext {
  /** The command line as its words. */
  readonly words: readonly string[];
  /** Writes a result to standard output. */
  readonly print: (text: string) => void;
  /** Gives signals to `take` instead of stopping h2h3, until the returned function is called. */
  readonly passSignals: (take: (signal: NodeJS.Signals) => void) => () => void;
}

/** Adds one command to the program; `exit` sets the exit code of a command that ends without an error. */
export type AddCommand = (program: Command, context: CommandContext, exit: (code: number) => void) => void;

/** How wide standard output is, and whether it shows colours. */
export function terminalOptions(): TerminalOptions {
  return {
    columns: widthOf(process.stdout, process.env) ?? usualWidth,
    colour: wantsColour(process.stdout, process.env),
  };
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

/** `--port`, where given. @throws H2h3Error `usage` */
export function portOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber('port', text, 1, 65535);
}
