import { Help, type Command, type Option } from 'commander';

/** Options that belong to one question of the user. */
export interface HelpGroup {
  /** The word after `--help`. */
  readonly id: string;
  readonly title: string;
  /** Command lines, each with what it is for behind `  # `, or alone. */
  readonly examples: readonly string[];
}

/** The longest option leaves less than the 40 characters from which on lines are broken by default. */
export const narrowestToWrap = 30;

/** Shows everything; stands next to the groups. */
const everything = 'all';

/** The word behind `--help` on the command line: `live` of `run --help live`, `all` of `run --help --all`; else undefined. */
function wordAfterHelp(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '--help' || word === '-h');
  return at < 0 ? undefined : words[at + 1]?.replace(/^--/, '');
}

/** Titles are as wide as the widest, so that the options stand below each other. */
function overview(
  groups: readonly HelpGroup[],
  optionsOf: (group: HelpGroup) => readonly Option[],
): string[] {
  const idWidth = Math.max(...groups.map(({ id }) => id.length));
  const titleOf = ({ title }: HelpGroup): string => title.replace(/:$/, '');
  const titleWidth = Math.max(...groups.map((group) => titleOf(group).length));
  return groups.map((group) => {
    const names = optionsOf(group)
      .map(({ long }) => long ?? '')
      .filter((name) => !name.startsWith('--no-'));
    const shown = names.slice(0, 5).join(' ');
    const more = names.length > 5 ? ' …' : '';
    return `  ${group.id.padEnd(idWidth)}  ${titleOf(group).padEnd(titleWidth)}  ${shown}${more}`;
  });
}

const exampleLines = (examples: readonly string[]): string[] => [
  'Examples:',
  ...examples.map((line) => `  ${line}`),
];

/**
 * Gives a command with many options a help in groups: the groups and examples first, one group by `--help ID`, everything
 * by `--help --all`. Options belong to the group whose title was the command's `optionsGroup` when they were added.
 */
export function groupHelp(
  command: Command,
  groups: readonly HelpGroup[],
  examples: readonly string[],
  words: readonly string[],
): void {
  const usual = new Help();
  command.configureHelp({
    minWidthToWrap: narrowestToWrap,
    formatHelp: (_, helper) => {
      const options = helper.visibleOptions(command);
      const optionsOf = ({ title }: HelpGroup): readonly Option[] =>
        options.filter(({ helpGroupHeading }) => helpGroupHeading === title);
      const word = wordAfterHelp(words);
      const asked = groups.find(({ id }) => id === word);
      if (word === everything)
        return `${usual.formatHelp.call(helper, command, helper)}\n${exampleLines(examples).join('\n')}\n`;
      const head = `Usage: ${helper.commandUsage(command)}\n`;
      if (asked !== undefined) {
        const only = new Help();
        Object.assign(only, helper, {
          visibleOptions: () => [...optionsOf(asked)],
          visibleArguments: () => [],
        });
        return `${usual.formatHelp.call(only, command, only)}\n${exampleLines(asked.examples).join('\n')}\n`;
      }
      return [
        head,
        `${helper.commandDescription(command)}\n`,
        ...exampleLines(examples),
        '',
        'Options by group (--help GROUP explains one, --help --all everything):',
        ...overview(groups, optionsOf),
        '',
      ].join('\n');
    },
  });
}
