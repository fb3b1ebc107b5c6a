import { givenPath } from '../../app/given-path.ts';
import { parseDuration } from '../../app/duration.ts';
import { addBuildOptions, buildOptionsOf, type BuildFlags } from '../build-options.ts';
import { addFormerOption } from '../former-option.ts';
import { addHostOptions, hostsOf, type HostFlags } from '../host-options.ts';
import { listIn } from '../list-in.ts';
import { parseInterims } from '../parse-interims.ts';
import { terminalOptions, type AddCommand } from './command.ts';

interface NightlyFlags extends BuildFlags, HostFlags {
  readonly candidate?: string;
  readonly baseline?: string;
  readonly preset?: string;
  readonly protocols: string;
  readonly workload?: string;
  readonly network?: string;
  readonly audience?: string;
  readonly budget: string;
  readonly margins?: string;
  readonly interims?: string;
  readonly allowUndecided?: boolean;
  readonly notify?: string;
  readonly otlp?: string;
  readonly install: boolean;
  readonly results: string;
}

const examples = `
Examples:
  npx h2h3 baseline accept chromium@148.0.0      once: the version that is known to be good
  npx h2h3 nightly                               every night: newest Chromium against it, report, history, trend, exit code
  npx h2h3 nightly --candidate firefox@nightly --budget 30m --allow-undecided
  npx h2h3 nightly --candidate nginx@latest      newest nginx against the accepted one (baseline accept nginx@1.26)
  npx h2h3 nightly --candidate chromium@stable,nginx@latest,dashjs@latest --budget 20m   a browser, a server and a player
  npx h2h3 nightly --candidate chromium@153 --no-install
  npx h2h3 nightly --baseline-command 'npm run start:main' --candidate-command 'npm run start:branch'   two builds of an app

Exit codes are those of gate. nights.jsonl notes when a night began and ended, so that a missed, crashed or half night
shows in the trend; none of them becomes a baseline. examples/nightly holds a systemd timer and a line for cron,
.github/workflows a workflow.`;

export const addNightlyCommand: AddCommand = (program, context, exit) => {
  const command = program
    .command('nightly')
    .description(
      'the newest browser, server or player against the accepted one, or two builds of an app, with history and trend',
    )
    .option(
      '--candidate <list>',
      'browsers, servers and players to check, one after the other (default: chromium@stable)',
    )
    .option('--baseline <name>', 'instead of the accepted one')
    .option(
      '--preset <name>',
      'what is loaded (default: nightly; gate-players for players; gate-timers: how long browsers wait for IPv6)',
    )
    .option('--protocols <list>', 'over which protocols each is run', 'h2,h3')
    .option('--workload <list>', 'workloads instead of the preset’s')
    .option('--network <name>', 'network instead of the preset’s')
    .option('--audience <file>', 'who the users are, in place of networks (docs/for-our-users.md)')
    .option('--budget <time>', 'of each candidate: begin no block that would end after this time', '60m')
    .option('--margins <file>', 'margins by metric, YAML or JSON')
    .option('--interims <list>', 'blocks after which to judge (default: as gate)')
    .option('--allow-undecided', 'exit with 0, not 5, if it is not decided whether it is worse')
    .option('--notify <file>', 'where to send the outcome: webhooks, chat tools, commands (YAML)')
    .option(
      '--otlp <address>',
      'OpenTelemetry collector that gets medians, verdicts and outcome (default: OTEL_EXPORTER_OTLP_ENDPOINT)',
    )
    .option('--no-install', 'use what is installed')
    .option('--results <dir>', 'folder of runs, history and baselines', 'results')
    .addHelpText('after', examples);
  addFormerOption(command, '--looks <list>', 'interims', context.progress);
  addBuildOptions(addHostOptions(command)).action(async (flags: NightlyFlags) => {
    const { nights } = await import('../../app/nightly/nights.ts');
    const { readMarginsFile } = await import('../../app/plan/margins-file.ts');
    const { renderGateText } = await import('../../app/texts.ts');
    const builds = buildOptionsOf(flags);
    const exitCode = await nights(
      {
        candidates: listIn(flags.candidate) ?? [undefined],
        ...builds.commands,
        baseline: flags.baseline,
        source: flags.preset,
        protocols: flags.protocols.split(','),
        flags: {
          ...builds.flags,
          ...(flags.workload === undefined ? {} : { workload: flags.workload }),
          ...(flags.network === undefined ? {} : { network: flags.network }),
          ...(flags.audience === undefined ? {} : { audience: flags.audience }),
          ...hostsOf(flags),
        },
        budgetMs: parseDuration(flags.budget),
        margins: flags.margins === undefined ? {} : readMarginsFile(flags.margins),
        interims: flags.interims === undefined ? undefined : parseInterims(flags.interims),
        allowUndecided: flags.allowUndecided,
        install: flags.install,
        notifyFile: flags.notify,
        otlp: flags.otlp,
        resultsDir: flags.results,
      },
      context,
      ({ gate, reportPath, trendPath }) => {
        context.progress.clear();
        context.print(renderGateText(gate, terminalOptions()));
        context.print(`report: ${givenPath(reportPath)}`);
        if (trendPath !== null) context.print(`trend: ${givenPath(trendPath)}`);
      },
    );
    exit(exitCode);
  });
};
