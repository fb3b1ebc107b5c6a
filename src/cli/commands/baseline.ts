import type { Baseline } from '../../app/nightly/baseline.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface AcceptFlags {
  readonly run?: string;
  readonly name?: string;
  readonly note?: string;
  readonly results: string;
}

const examples = `
Examples:
  npx h2h3 baseline accept chromium@153.0.0            by decision
  npx h2h3 baseline accept --run results/latest        the candidate of a whole run that passed the gate
  npx h2h3 baseline show chromium
  npx h2h3 baseline list

A baseline is one version of one browser, server or player (nginx@1.26.3, dashjs@5.2.1). It changes only here: no night, good or bad, accepts anything by itself.`;

function rowOf({ name, client, version, build, acceptedAt, run, note }: Baseline): string[] {
  return [name, client, version, build, acceptedAt.slice(0, 16), run ?? 'by decision', note];
}

const head = ['name', 'client', 'version', 'build', 'accepted', 'on', 'note'];

export const addBaselineCommand: AddCommand = (program, context) => {
  const baseline = program
    .command('baseline')
    .description('the accepted versions of browsers, servers and players that nightly compares against')
    .addHelpText('after', examples);
  baseline
    .command('accept')
    .description('accept a version of a browser, server or player as the baseline')
    .argument('[client]', 'such as chromium@153.0.0')
    .option('--run <dir>', 'accept the candidate of this run; it must be whole and have passed its gate')
    .option('--name <name>', 'name of the baseline (default the browser)')
    .option('--note <text>', 'why')
    .option('--results <dir>', 'folder of the runs', 'results')
    .action(async (client: string | undefined, flags: AcceptFlags) => {
      const { acceptVersion } = await import('../../app/nightly/baseline.ts');
      const {
        name,
        client: exact,
        version,
      } = await acceptVersion({ ...flags, client, resultsDir: flags.results }, context);
      context.print(`baseline of ${name}: ${exact} (${version})`);
    });
  baseline
    .command('show')
    .description('the baseline in force')
    .argument('[name]', 'such as chromium', 'chromium')
    .option('--results <dir>', 'folder of the runs', 'results')
    .action(async (name: string, flags: { readonly results: string }) => {
      const { baselineInForce } = await import('../../app/nightly/baseline.ts');
      context.print(formatTable([head, rowOf(baselineInForce(name, flags.results))]));
    });
  baseline
    .command('list')
    .description('every baseline ever accepted, oldest first')
    .option('--results <dir>', 'folder of the runs', 'results')
    .action(async (flags: { readonly results: string }) => {
      const { baselines } = await import('../../app/nightly/baseline.ts');
      const all = baselines(flags.results);
      context.print(
        all.length === 0 ? 'no baseline was accepted yet' : formatTable([head, ...all.map(rowOf)]),
      );
    });
};
