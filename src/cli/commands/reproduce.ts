import { givenPath } from '../../app/given-path.ts';
import { wholeNumber } from '../../app/whole-number.ts';
import { addTrustOptions, askTrustOf, type TrustFlags } from '../trust-options.ts';
import { terminalOptions, type AddCommand } from './command.ts';

interface ReproduceFlags extends TrustFlags {
  readonly out: string;
  readonly repetitions?: string;
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 reproduce run.zip --out again                    all blocks of the plan, as it was measured
  npx h2h3 reproduce run.zip --out again --repetitions 6    a smaller repetition
  npx h2h3 reproduce run.zip --out again                    the same once more: goes on where it was interrupted
  npx h2h3 reproduce run.zip --out again --trust            of live addresses or own commands: asks before each of them

A comparison agrees where both runs decide it the same way and each estimate lies in the other's interval. Exit codes: 0 also
where nothing is decided, 1 where a primary comparison is decided otherwise.`;

export const addReproduceCommand: AddCommand = (program, context, exit) => {
  const command = program
    .command('reproduce')
    .description('measure the plan of a packed run again and say where both agree')
    .argument('<file>', 'archive that `h2h3 pack` wrote')
    .requiredOption('--out <dir>', 'folder for both runs and their agreement')
    .option('--repetitions <n>', 'blocks to measure, at most those of the archive')
    .option('--json', 'print the agreement as JSON');
  addTrustOptions(command)
    .addHelpText('after', examples)
    .action(async (file: string, { out, repetitions, json, ...flags }: ReproduceFlags) => {
      const { reproduce } = await import('../../app/pack/reproduce.ts');
      const { renderAgreementText } = await import('../../app/texts.ts');
      const blocks =
        repetitions === undefined ? undefined : wholeNumber('repetitions', repetitions, 1, 100_000);
      const trust = askTrustOf(flags, context);
      const { agreement, pagePath, exitCode } = await reproduce(
        file,
        { out, repetitions: blocks, trust },
        context,
      );
      context.print(
        json === true
          ? JSON.stringify(agreement, null, 1)
          : renderAgreementText(agreement, terminalOptions()),
      );
      context.progress.say(`agreement: ${givenPath(pagePath, out)}`);
      exit(exitCode);
    });
};
