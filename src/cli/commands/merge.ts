import { givenPath } from '../../app/given-path.ts';
import { plural } from '../../app/words.ts';
import { addTrustOptions, askTrustOf, type TrustFlags } from '../trust-options.ts';
import { terminalOptions, type AddCommand } from './command.ts';

interface MergeFlags extends TrustFlags {
  readonly out: string;
  readonly partial?: boolean;
}

const examples = `
Examples:
  npx h2h3 run my-plan.yaml --shard 1/3 --out part-1   on one machine; --shard 2/3 and 3/3 on two others like it
  npx h2h3 merge part-1 part-2 part-3 --out results/tuesday
  npx h2h3 merge part-1 part-3 --out results/most --partial   the second machine is lost

Every host runs whole blocks of its conditions, so whatever is compared was measured on one machine at one time. The
shards are only read, and nothing is written over. A merged run can be resumed: one whose plan starts programs, reads files or
loads live addresses is merged only with --trust.`;

export const addMergeCommand: AddCommand = (program, context, exit) => {
  const command = program
    .command('merge')
    .description('make one run of the shards of a plan that several machines ran')
    .argument('<dir...>', 'folders of the shards, in any order')
    .requiredOption('--out <dir>', 'folder of the merged run: empty, or not there yet')
    .option('--partial', 'merge although trials have no record; they are kept as not run');
  addTrustOptions(command)
    .addHelpText('after', examples)
    .action(async (folders: string[], flags: MergeFlags) => {
      const { merge } = await import('../../app/merge/merge.ts');
      const { renderTerminalSummary } = await import('../../app/texts.ts');
      const { summary, reportPath, missing, exitCode } = await merge(
        folders,
        { ...flags, trust: askTrustOf(flags, context) },
        context,
      );
      if (missing > 0) context.progress.say(`${plural(missing, 'trial')} of no shard: kept as not run`);
      context.print(renderTerminalSummary(summary, terminalOptions()));
      context.print(`report: ${givenPath(reportPath, flags.out)}`);
      exit(exitCode);
    });
};
