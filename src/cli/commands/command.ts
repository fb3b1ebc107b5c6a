import type { Command } from 'commander';
import type { AppContext } from '../../app/app-context.ts';

/** Adds one command to the program; `exit` sets the exit code of a command that ends without an error. */
export type AddCommand = (program: Command, context: AppContext, exit: (code: number) => void) => void;
