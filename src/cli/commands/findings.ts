import { formatDuration } from '../../app/duration.ts';
import { givenPath } from '../../app/given-path.ts';
import { listIn } from '../list-in.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface FindingsFlags {
  readonly only?: string;
  readonly list?: boolean;
  readonly json?: boolean;
  readonly out: string;
  readonly page: string;
}

const examples = `
Examples:
  npx h2h3 findings --list              what is compared, and how long each takes
  npx h2h3 findings                     measure all again and renew docs/findings.md
  npx h2h3 findings --only servers      one of them; the others stay as they are

The same command on the same day continues what was interrupted. A comparison that was not measured whole keeps its older entry.`;

export const addFindingsCommand: AddCommand = (program, context, exit) => {
  program
    .command('findings')
    .description('measure the standing comparisons again and renew their page')
    .option('--only <list>', 'some of them, by id')
    .option('--list', 'list them and measure nothing')
    .option('--json', 'with --list: print JSON')
    .option('--out <dir>', 'folder of the runs', 'results/findings')
    .option('--page <file>', 'the page that is renewed', 'docs/findings.md')
    .addHelpText('after', examples)
    .action(async (flags: FindingsFlags) => {
      const { findingsNamed, findingTimes, renewFindings } = await import('../../app/findings/findings.ts');
      const only = listIn(flags.only);
      if (flags.list === true) {
        const listed = findingsNamed(only);
        if (flags.json === true) return context.print(JSON.stringify({ findings: listed }));
        const timesMs = await findingTimes(listed);
        const rows = listed.map(({ id, preset, question }, index) => [
          id,
          preset,
          question,
          `about ${formatDuration(timesMs[index] ?? 0)}`,
        ]);
        return context.print(formatTable([['id', 'preset', 'question', 'time'], ...rows]));
      }
      const { pagePath, renewed, exitCode } = await renewFindings(
        { only, out: flags.out, page: flags.page },
        context,
      );
      context.progress.clear();
      context.print(
        renewed.length === 0
          ? 'Nothing was renewed.'
          : `renewed ${renewed.join(', ')}: ${givenPath(pagePath)}`,
      );
      exit(exitCode);
    });
};
