import { Command, type Argument, type ErrorOptions } from 'commander';

/** A command that says after each refusal of its words how it is written, and so do the commands below it. */
export class GuidedCommand extends Command {
  override createCommand(name?: string): Command {
    return new GuidedCommand(name);
  }

  override error(message: string, errorOptions?: ErrorOptions): never {
    this.showHelpAfterError(`  next: ${usageStep(this)}`);
    return super.error(message, errorOptions);
  }
}

/** A command with those that it belongs to: `npx h2h3 sites add`. */
function wholeName(command: Command): string {
  return command.parent === null ? `npx ${command.name()}` : `${wholeName(command.parent)} ${command.name()}`;
}

function writtenArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** What to do where a command was not understood: how it is written, what each word that it needs is, and where examples are. */
export function usageStep(command: Command): string {
  const name = wholeName(command);
  if (command.commands.length > 0) return `\`${name} --help\` lists the commands.`;
  const more = `\`${name} --help\` has its options and examples.`;
  const { registeredArguments: all } = command;
  const needed = all.filter(({ required }) => required);
  if (needed.length === 0) return more;
  return [
    `${name} ${all.map(writtenArgument).join(' ')}`,
    ...needed.map((argument) => `${writtenArgument(argument)}: ${argument.description}`),
    more,
  ].join('\n    ');
}
