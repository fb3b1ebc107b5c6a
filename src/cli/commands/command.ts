import type { Command } from 'commander';
import type { AppContext } from '../../app/app-context.ts';
import type { TerminalOptions } from '../../app/texts.ts';
import { usualWidth, widthOf } from '../table.ts';
import { wantsColour } from '../terminal.ts';
import { H2h3Error } from '../../model/errors.ts';

/** What the commands have beyond the use cases: a terminal to answer on. */
export interface CommandContext extends AppContext {
  /** Writes a result to standard output. */
  readonly print: (text: string) => void;
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

/** `--flag` as a whole number within bounds. @throws H2h3Error `usage` */
export function wholeNumber(flag: string, text: string, least: number, most?: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && !(value > (most ?? Infinity)))
    return value;
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new H2h3Error('usage', `--${flag} wants a whole number ${range}, got "${text}"`);
}

/** `--port`, where given. @throws H2h3Error `usage` */
export function portOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber('port', text, 1, 65535);
}
