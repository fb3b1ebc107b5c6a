import { Argument, type Command } from 'commander';
import type { AddCommand } from './command.ts';

const examples = `
Examples:
  npx h2h3 completion bash --install     writes it to where bash looks for completions; zsh and fish likewise
  npx h2h3 completion bash               prints it

Shells complete what is called h2h3. Where it is started by npx: alias h2h3='npx h2h3'`;

/** A command, or a command of a command, by the words that name it. */
interface Entry {
  readonly path: readonly string[];
  readonly command: Command;
}

/** Commands that help shows, each followed by those below it; Commander's own `help` below a command is left out. */
function entriesBelow(command: Command, path: readonly string[] = []): Entry[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((below) => command.commands.includes(below))
    .flatMap((command) => {
      const own = [...path, command.name()];
      return [{ path: own, command: command }, ...entriesBelow(command, own)];
    });
}

/** What completion offers besides commands and options: values of arguments, by the name of their command. */
type Values = Readonly<Record<string, readonly string[]>>;

const valuesOf = (command: Command, values: Values): readonly string[] =>
  values[command.name()] ?? command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);

/** What can follow a command: the names of those below it, values of its arguments and its long options. */
function wordsAfter(command: Command, values: Values): string[] {
  const options = command.createHelp().visibleOptions(command);
  return [
    ...entriesBelow(command)
      .filter(({ path }) => path.length === 1)
      .map(({ command: one }) => one.name()),
    ...valuesOf(command, values),
    ...options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
  ];
}

/** A text between single quotes, as every shell here reads it. */
function singleQuoted(text: string, escapedQuote: string): string {
  return `'${text.replaceAll("'", escapedQuote)}'`;
}

function bashScript(program: Command, values: Values): string {
  // The longest path first, since the first pattern that fits decides.
  const cases = entriesBelow(program)
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(
      ({ path, command }) =>
        `    ${singleQuoted(`${path.join(' ')} `, '')}*) words=${singleQuoted(wordsAfter(command, values).join(' '), '')} ;;`,
    );
  return `_h2h3() {
  local words line
  line="\${COMP_WORDS[*]:1:$((COMP_CWORD-1))} "
  case "$line" in
${cases.join('\n')}
    *) words=${singleQuoted(wordsAfter(program, values).join(' '), '')} ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _h2h3 h2h3`;
}

function fishScript(program: Command, values: Values): string {
  const text = (words: string): string => singleQuoted(words, "\\'");
  const lines = entriesBelow(program).flatMap(({ path, command }) => {
    const name = command.name();
    const parents = path.slice(0, -1);
    const before =
      parents.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${parents.join(' ')}`;
    const within = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const options = command.createHelp().visibleOptions(command);
    const offered = valuesOf(command, values);
    return [
      `complete -c h2h3 -n ${text(before)} -a ${name} -d ${text(command.description())}`,
      ...(offered.length === 0 ? [] : [`complete -c h2h3 -n ${text(within)} -a ${text(offered.join(' '))}`]),
      ...options
        .filter(({ long }) => long !== undefined && long !== null)
        .map(
          ({ long = '', description, required, optional }) =>
            `complete -c h2h3 -n ${text(within)} -l ${long?.slice(2) ?? ''}${required || optional ? ' -r' : ''} -d ${text(description)}`,
        ),
    ];
  });
  return lines.join('\n');
}

const scripts: Readonly<Record<string, (program: Command, values: Values) => string>> = {
  bash: bashScript,
  // zsh runs bash's completions itself.
  zsh: (program, values) =>
    `autoload -U +X compinit bashcompinit\ncompinit\nbashcompinit\n${bashScript(program, values)}`,
  fish: fishScript,
};

export const addCompletionCommand: AddCommand = (program, context) => {
  program
    .command('completion')
    .description('print what lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .option('--install', 'write it to where the shell looks for completions')
    .addHelpText('after', examples)
    .action(async (shell: string, { install }: { readonly install?: boolean }) => {
      const { topicIds } = await import('../../app/describe/topics.ts');
      const commands = entriesBelow(program).flatMap(({ path }) => (path.length === 1 ? path : []));
      const values = { help: [...commands, ...topicIds(context.projectDir)] };
      const script = scripts[shell]?.(program, values) ?? '';
      if (install !== true) {
        context.print(script);
        return;
      }
      const { installCompletion } = await import('../../app/install-completion.ts');
      context.print(installCompletion(shell, `${script}\n`, context.environment));
    });
};
