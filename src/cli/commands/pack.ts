import { givenPath } from '../../app/given-path.ts';
import { plural } from '../../app/words.ts';
import type { AddCommand } from './command.ts';

interface PackFlags {
  readonly out: string;
  readonly keepSecrets?: boolean;
  readonly forReading?: boolean;
}

const examples = `
Examples:
  npx h2h3 pack results/latest --out run.zip           one file for a reviewer or an archive
  npx h2h3 reproduce run.zip --out again               measures it again, here or on another machine

The archive holds plan, records, evidence, reports, digests of the programs, licence, citation and RO-Crate metadata. Packing
twice gives the same bytes. A run with what looks like a secret is not packed, nor one whose plan starts programs, reads files or
reaches addresses: \`reproduce\` refuses these unless its user allows it with --trust.`;

export const addPackCommand: AddCommand = (program, context) => {
  program
    .command('pack')
    .description('pack a run into one file that another machine can measure again')
    .argument('<dir>', 'folder of the run')
    .requiredOption('--out <file>', 'the archive to write, a .zip that is not there yet')
    .option('--keep-secrets', 'pack although something looks like a secret')
    .option('--for-reading', 'pack a run that `reproduce` refuses, such as one of live addresses')
    .addHelpText('after', examples)
    .action(async (folder: string, flags: PackFlags) => {
      const { pack } = await import('../../app/pack/pack.ts');
      const { path, fileCount, sizeBytes, leftOut, notSought, names } = await pack(folder, flags, context);
      if (leftOut.length > 0) context.progress.say(`left out, not of the run: ${leftOut.join(', ')}`);
      if (notSought.length > 0)
        context.progress.say(
          `warning: not looked for, because this machine does not know them: ${notSought.join(', ')}`,
        );
      if (names.length > 0) context.progress.say(`the archive names: ${names.join(', ')}`);
      const megabytes = (sizeBytes / 1e6).toFixed(1);
      context.print(`packed: ${givenPath(path, flags.out)} (${plural(fileCount, 'file')}, ${megabytes} MB)`);
    });
};
