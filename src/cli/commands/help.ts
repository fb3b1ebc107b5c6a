import type { Command } from 'commander';
import type { AddCommand } from './command.ts';

const examples = `
Examples:
  npx h2h3 help                         all commands and topics
  npx h2h3 help gate                    a command
  npx h2h3 help networks                a topic: how it begins, and its parts
  npx h2h3 help networks command        the parts whose headings have this word`;

/** A command, or one below it, by its names. */
function commandNamed(program: Command, names: readonly string[]): Command | undefined {
  const [first, ...others] = names;
  const found = program.commands.find((command) => command.name() === first);
  return found === undefined || others.length === 0 ? found : (commandNamed(found, others) ?? found);
}

export const addHelpCommand: AddCommand = (program, context) => {
  program.helpCommand(false);
  program
    .command('help')
    .description('explain a command, or a topic of the documentation')
    .argument('[topic]', 'name of a command or a topic')
    .argument('[part]', 'a command below it, or a word of a heading')
    .addHelpText('after', examples)
    .action(async (topic: string | undefined, part: string | undefined) => {
      const { helpTopics, topicText } = await import('../../app/describe/topics.ts');
      if (topic === undefined) {
        const topics = helpTopics(context.projectDir);
        const width = Math.max(...topics.map(({ id }) => id.length));
        const lines = topics.map(({ id, title }) => `  ${id.padEnd(width)}  ${title}`);
        program.outputHelp();
        context.print(`\nTopics:\n${lines.join('\n')}`);
        return;
      }
      const command = commandNamed(program, part === undefined ? [topic] : [topic, part]);
      if (command === undefined) context.print(topicText(context.projectDir, topic, part));
      else command.outputHelp();
    });
};
