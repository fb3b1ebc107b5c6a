import { H2h3Error } from '../../model/errors.ts';
import { gateOutcomeSchema } from '../../model/gate.ts';
import { acceptBaseline, currentBaseline, readBaselines, type Baseline } from '../../store/baselines.ts';
import { openRunDirectory } from '../../store/run-directory.ts';
import { browserOf, exactClient } from '../../app/plan/exact-client.ts';
import { readHistoryRun } from '../../app/history/import-run.ts';
import { resolveClients } from '../../app/run/prepare-run.ts';
import { setupContextOf, type AppContext } from '../../app/app-context.ts';
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
  h2h3 baseline accept chromium@153.0.0            by decision
  h2h3 baseline accept --run results/latest        the candidate of a whole run that passed the gate
  h2h3 baseline show chromium
  h2h3 baseline list

A baseline is one version of one browser. It changes only here: no night, good or bad, accepts anything by itself.`;

/** The candidate of a run, if the run was whole and the gate found nothing worse. @throws H2h3Error `bad-input` */
function candidateOf(path: string): string {
  const { state, reason, gateOutcome } = readHistoryRun(path);
  const refuse = (why: string): never => {
    throw new H2h3Error('bad-input', `${path} cannot make a baseline: ${why}`, {
      next: 'Name the client itself to accept it by decision: h2h3 baseline accept CLIENT.',
    });
  };
  if (state !== 'complete') refuse(`the run is ${state} (${reason})`);
  if (gateOutcome === null) refuse('it was not judged (h2h3 gate DIR)');
  if (gateOutcome !== gateOutcomeSchema.enum.passed) refuse(`its gate says ${gateOutcome}`);
  const { arms } = openRunDirectory(path).plan;
  return arms.at(-1)?.client ?? refuse('its arms do not name browsers');
}

async function accept(
  client: string | undefined,
  flags: AcceptFlags,
  context: AppContext,
): Promise<Baseline> {
  if ((client === undefined) === (flags.run === undefined))
    throw new H2h3Error('usage', 'name a client, or a run with --run', {
      next: 'See `h2h3 baseline --help`.',
    });
  const named = flags.run === undefined ? (client ?? '') : candidateOf(flags.run);
  const setup = await setupContextOf(context);
  const exact = await exactClient(named, true, setup);
  const found = (await resolveClients([exact], setup)).get(exact);
  if (found === undefined || found instanceof H2h3Error)
    throw (
      found ??
      new H2h3Error('usage', `${named} is not one version`, { next: 'Name it as in `h2h3 browsers list`.' })
    );
  const baseline: Baseline = {
    name: flags.name ?? browserOf(exact),
    client: exact,
    version: found.version,
    build: found.build,
    acceptedAt: new Date().toISOString(),
    run: flags.run ?? null,
    note: flags.note ?? '',
  };
  acceptBaseline(flags.results, baseline);
  return baseline;
}

function rowOf({ name, client, version, build, acceptedAt, run, note }: Baseline): string[] {
  return [name, client, version, build, acceptedAt.slice(0, 16), run ?? 'by decision', note];
}

const head = ['name', 'client', 'version', 'build', 'accepted', 'on', 'note'];

export const addBaselineCommand: AddCommand = (program, context) => {
  const baseline = program
    .command('baseline')
    .description('the accepted browser versions that nightly compares against')
    .addHelpText('after', examples);
  baseline
    .command('accept')
    .description('accept a browser version as the baseline')
    .argument('[client]', 'such as chromium@153.0.0')
    .option('--run <dir>', 'accept the candidate of this run; it must be whole and have passed its gate')
    .option('--name <name>', 'name of the baseline (default the browser)')
    .option('--note <text>', 'why')
    .option('--results <dir>', 'folder of the runs', 'results')
    .action(async (client: string | undefined, flags: AcceptFlags) => {
      const { name, client: exact, version } = await accept(client, flags, context);
      context.print(`baseline of ${name}: ${exact} (${version})`);
    });
  baseline
    .command('show')
    .description('the baseline in force')
    .argument('[name]', 'such as chromium', 'chromium')
    .option('--results <dir>', 'folder of the runs', 'results')
    .action((name: string, flags: { readonly results: string }) => {
      const found = currentBaseline(flags.results, name);
      if (found === null)
        throw new H2h3Error('bad-input', `no baseline of ${name} was accepted`, {
          next: `h2h3 baseline accept ${name}@VERSION`,
        });
      context.print(formatTable([head, rowOf(found)]));
    });
  baseline
    .command('list')
    .description('every baseline ever accepted, oldest first')
    .option('--results <dir>', 'folder of the runs', 'results')
    .action((flags: { readonly results: string }) => {
      const all = readBaselines(flags.results);
      context.print(
        all.length === 0 ? 'no baseline was accepted yet' : formatTable([head, ...all.map(rowOf)]),
      );
    });
};
