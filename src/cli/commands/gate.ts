import { givenPath } from '../../app/given-path.ts';
import { parseDuration } from '../../app/duration.ts';
import type { GateOptions, JudgedRun, JudgeOptions } from '../../app/gate/gate.ts';
import type { JudgedSenders } from '../../app/senders/gate-senders.ts';
import { optionOf } from '../../core/model/command-words.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import type { ExitCode } from '../../core/model/exit-codes.ts';
import { addBuildOptions, buildOptionsOf, type BuildFlags } from '../build-options.ts';
import { addFormerOption } from '../former-option.ts';
import { addHostOptions, hostsOf, type HostFlags } from '../host-options.ts';
import { parseInterims } from '../parse-interims.ts';
import { collect, portOf, terminalOptions, type AddCommand, type CommandContext } from './command.ts';

interface GateFlags extends BuildFlags, HostFlags {
  readonly baseline?: string;
  readonly candidate?: string;
  readonly preset?: string;
  readonly protocols: string;
  readonly workload?: string;
  readonly sites?: string;
  readonly network?: string;
  readonly audience?: string;
  readonly inject?: readonly string[];
  readonly seed?: string;
  readonly margin?: string;
  readonly margins?: string;
  readonly interims?: string;
  readonly allowUndecided?: boolean;
  readonly budget?: string;
  readonly out?: string;
  readonly port?: string;
  readonly force?: boolean;
  readonly bisect?: boolean;
  readonly results: string;
}

const examples = `
Examples:
  npx h2h3 gate results/latest                                     judge a run that was made
  npx h2h3 gate --baseline chromium@148 --candidate chromium@153   run both in the same blocks, then judge
  npx h2h3 gate --baseline chromium@148 --candidate chromium@153 --preset web-loopback --margin 3% --budget 20m
  npx h2h3 gate --baseline nginx@1.26 --candidate nginx@1.30       two versions of a server, in one browser
  npx h2h3 gate --baseline nginx@1.26 --candidate nginx@1.30 --preset senders   how they send, from outside
  npx h2h3 gate --baseline dashjs@4 --candidate dashjs@5           two versions of a video player
  npx h2h3 gate --baseline caddy@2.10 --candidate caddy@2.11 --bisect   which version between became worse
  npx h2h3 gate --baseline-command 'npm run start:main' --candidate-command 'npm run start:branch'   two builds of an app
  npx h2h3 gate --baseline embedded --candidate embedded --workload page-agency   A/A: must pass
  npx h2h3 gate results/latest --margins margins.yaml

A candidate is worse only when the whole interval of a primary comparison lies beyond the margin and its adjusted p is
below the level of the interim analysis. It passes only when every one is decided or shown not to be worse; else it is not decided, exit code 5. A run is judged after every second block from the first that can decide, 20 at most, and ends as soon as all is decided.
Writes gate.json, gate.md and gate.junit.xml next to the report.`;

export const addGateCommand: AddCommand = (program, context, exit) => {
  const command = program
    .command('gate')
    .description(
      'say whether a candidate browser, server, player or build of an app is worse than a baseline: exit code 1 if it is',
    )
    .argument('[dir]', 'folder of a run to judge; without, baseline and candidate are run')
    .option(
      '--baseline <name>',
      'the accepted browser, server or player: chromium@148, a path, nginx@1.26, dashjs@4',
    )
    .option('--candidate <name>', 'the browser, server or player in question')
    .option(
      '--preset <name>',
      'preset or plan file that says what is loaded (default: gate, pages over 4G and loopback; gate-players for players; gate-timers: the wait for IPv6; senders)',
    )
    .option('--protocols <list>', 'over which protocols each is run', 'h2,h3')
    .option('--workload <list>', 'workloads instead of the preset’s')
    .option('--sites <list>', 'pages by name or "all" instead of the preset’s')
    .option('--network <name>', 'network instead of the preset’s')
    .option('--audience <file>', 'who the users are, in place of networks (docs/for-our-users.md)')
    .option('--inject <fault>', 'a fault on purpose, such as candidate:delay=+20%; may be repeated', collect)
    .option('--seed <n>', 'seed of the order of trials')
    .option(
      '--interims <list>',
      'blocks after which to judge (default: every second block from the first that can decide, to 20)',
    )
    .option('--margin <share>', 'margin of the primary metrics, such as 3%')
    .option('--margins <file>', 'margins by metric, YAML or JSON')
    .option('--allow-undecided', 'exit with 0, not 5, if it is not decided whether it is worse')
    .option('--budget <time>', 'begin no block that would end after this time, such as 20m')
    .option('--out <dir>', 'folder of the run')
    .option('--port <n>', 'port of the server')
    .option('--force', 'judge even browsers of different builds, and margins below what this machine can see')
    .option('--bisect', 'if it is worse, run gates over the versions between until two neighbours are left')
    .option('--results <dir>', 'where calibrations are kept', 'results')
    .addHelpText('after', examples);
  addFormerOption(command, '--looks <list>', 'interims', context.progress);
  addBuildOptions(addHostOptions(command)).action(async (dir: string | undefined, flags: GateFlags) => {
    if (dir === undefined && flags.preset === 'senders') {
      exit(await gateOfSenders(flags, context));
      return;
    }
    const judged = await judge(dir, flags, context, await printerOf(context));
    exit(judged.exitCode);
  });
};

/** What says how pages and players are judged, and nothing of how a server sends. */
const notOfSenders = [
  'workload',
  'sites',
  'network',
  'audience',
  'inject',
  'seed',
  'margin',
  'margins',
  'interims',
  'budget',
  'port',
  'serverHost',
  'clientHost',
  'bisect',
  'baselineCommand',
  'candidateCommand',
] as const;

async function gateOfSenders(flags: GateFlags, context: CommandContext): Promise<ExitCode> {
  const { gateSenders } = await import('../../app/senders/gate-senders.ts');
  const other = notOfSenders.find((name) => flags[name] !== undefined);
  if (other !== undefined)
    throw new H2h3Error(
      'usage',
      `--preset senders has a path and rules of its own, and takes no ${optionOf(other)}`,
      {
        next: 'Leave it out. `npx h2h3 senders --help` has more.',
      },
    );
  const { baseline, candidate, out, allowUndecided } = flags;
  const judged = await gateSenders({ baseline, candidate, out, allowUndecided }, context);
  context.progress.clear();
  context.print(
    [
      gateHeadline(judged),
      ...judged.changes.map(
        ({ isWorse, sentence }) => `  ${isWorse ? '▼ worse' : '◆ changed'}: ${sentence}.`,
      ),
      ...(judged.undecided.length === 0 ? [] : [`  ? not decided: ${judged.undecided.join(', ')}.`]),
      `page: ${givenPath(judged.pagePath)}`,
    ].join('\n'),
  );
  return judged.exitCode;
}

function gateHeadline({ changes, undecided }: Pick<JudgedSenders, 'changes' | 'undecided'>): string {
  const worse = changes.filter(({ isWorse }) => isWorse).length;
  if (worse > 0)
    return `Gate failed: ${worse} of ${changes.length} changed properties of its servers’ sending cost users or others more.`;
  if (undecided.length > 0) return 'Gate not decided: some properties are told by too few trials.';
  return changes.length === 0
    ? 'Gate passed: no property of its servers’ sending changed.'
    : 'Gate passed: nothing that changed costs users or others more.';
}

type Print = (name: string, judged: JudgedRun) => void;

async function printerOf(context: CommandContext): Promise<Print> {
  const { renderGateText } = await import('../../app/texts.ts');
  return (name, { gate, directory }) => {
    context.progress.clear();
    if (name !== '') context.print(`candidate ${name}:`);
    context.print(renderGateText(gate, terminalOptions()));
    context.print(`gate: ${givenPath(directory.path)}/report.html, gate.json, gate.md, gate.junit.xml`);
  };
}

async function judgeOptionsOf(flags: GateFlags): Promise<JudgeOptions> {
  const { readMarginsFile, shareOfMargin } = await import('../../app/plan/margins-file.ts');
  return {
    margin: flags.margin === undefined ? undefined : shareOfMargin(flags.margin),
    margins: flags.margins === undefined ? {} : readMarginsFile(flags.margins),
    allowUndecided: flags.allowUndecided,
    force: flags.force,
    resultsDir: flags.results,
  };
}

async function judge(
  dir: string | undefined,
  flags: GateFlags,
  context: CommandContext,
  print: Print,
): Promise<JudgedRun> {
  const { baseline, candidate, workload, sites, network, audience, inject, seed } = flags;
  const builds = buildOptionsOf(flags);
  if (dir !== undefined) {
    const compared = [baseline, candidate, flags.baselineCommand, flags.candidateCommand];
    if (compared.every((named) => named === undefined)) {
      const { gate } = await import('../../app/gate/gate.ts');
      const judged = gate(dir, await judgeOptionsOf(flags));
      print('', judged);
      return judged;
    }
    throw new H2h3Error(
      'usage',
      'a run directory is judged as it is; it takes nothing to compare: no --baseline, --candidate or command of theirs',
    );
  }
  const options = {
    ...(await judgeOptionsOf(flags)),
    baseline,
    candidate,
    ...builds.commands,
    source: flags.preset,
    flags: {
      ...builds.flags,
      ...(workload === undefined ? {} : { workload }),
      ...(sites === undefined ? {} : { sites }),
      ...(network === undefined ? {} : { network }),
      ...(audience === undefined ? {} : { audience }),
      ...hostsOf(flags),
      ...(inject === undefined ? {} : { inject }),
      ...(seed === undefined ? {} : { seed }),
    },
    protocols: flags.protocols.split(','),
    interims: flags.interims === undefined ? undefined : parseInterims(flags.interims),
    budgetMs: flags.budget === undefined ? undefined : parseDuration(flags.budget),
    out: flags.out,
    port: portOf(flags.port),
  };
  return flags.bisect === true ? bisected(options, context, print) : gated(options, context, print);
}

async function gated(options: GateOptions, context: CommandContext, print: Print): Promise<JudgedRun> {
  const { runAndGate } = await import('../../app/gate/gate.ts');
  const judged = await runAndGate(options, context);
  print('', judged);
  return judged;
}

async function bisected(options: GateOptions, context: CommandContext, print: Print): Promise<JudgedRun> {
  const { gateAndBisect } = await import('../../app/gate/gate.ts');
  const { judged, found } = await gateAndBisect(options, context, print);
  if (found !== undefined)
    context.print(
      found.open === undefined
        ? `It became worse from ${found.good} to ${found.bad}.`
        : `It became worse after ${found.good}, in ${found.bad} at the latest. ${found.open} is not decided.`,
    );
  return judged;
}
