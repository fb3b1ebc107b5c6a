import { statSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { Progress } from '../app/app-context.ts';
import { H2h3Error } from '../core/model/errors.ts';
import type { PlanFlags } from '../app/plan/plan-flags.ts';
import { collect } from './commands/command.ts';
import { addFormerOption } from './former-option.ts';
import type { HelpGroup } from './grouped-help.ts';
import { addHostOptions } from './host-options.ts';

/** Plan file that is meant in its folder where none is named. */
const defaultPlanFile = 'h2h3.config.yaml';

/**
 * The preset or plan file that was named, else `h2h3.config.yaml` of the working directory where there is one; an address in the
 * place of either is what a flag says.
 */
export async function planSource<Flags extends PlanFlags>(
  named: string | undefined,
  flags: Flags,
  progress: Progress,
): Promise<{ readonly source: string | undefined; readonly flags: Flags }> {
  const { addressAsSource } = await import('../app/plan/address-as-source.ts');
  const taken = addressAsSource(named, flags);
  if (taken.said !== undefined) progress.say(taken.said);
  if (named !== undefined) return taken;
  return { source: planFileOfFolder(progress), flags };
}

function planFileOfFolder(progress: Progress): string | undefined {
  if (statSync(defaultPlanFile, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  progress.say(`plan: ${defaultPlanFile} of this folder`);
  return defaultPlanFile;
}

/** What the flags say of a plan, and how long a run of it may take. */
export interface GivenPlan {
  readonly planFlags: PlanFlags;
  readonly budgetMs: number | undefined;
}

/** The flags of the plan, limits out of files read. */
export async function givenPlanOf<Flags extends PlanFlags & { readonly budget?: readonly string[] }>(
  flags: Flags,
): Promise<GivenPlan> {
  const { readBudgetFlags } = await import('../app/plan/budget-flags.ts');
  const { budgets, budgetMs } = readBudgetFlags(flags.budget ?? []);
  return { planFlags: budgets === undefined ? flags : { ...flags, budgets }, budgetMs };
}

/** The groups of options that `run` and `plan` share, in the order of help. */
export const planGroups = [
  {
    id: 'load',
    title: 'What to load:',
    examples: [
      'npx h2h3 run web --sites page-agency,replica-paulirish.com',
      'npx h2h3 run --workload download-10mb,video-streaming-2s-bba',
      'npx h2h3 run --url https://shop.example/ --script journey.ts',
    ],
  },
  {
    id: 'compare',
    title: 'What to compare:',
    examples: [
      'npx h2h3 run web --arms h2,h3',
      'npx h2h3 run download --arm h3+server=nginx --arm h3+server=caddy',
      'npx h2h3 run web --set cpu=25%                    # a slow machine, for every arm',
    ],
  },
  {
    id: 'where',
    title: 'Where:',
    examples: [
      'npx h2h3 run web --client chromium,firefox --network 4g,cable',
      'npx h2h3 run download --server nginx',
      'npx h2h3 run web --server-host lab@10.0.0.2',
    ],
  },
  {
    id: 'long',
    title: 'How long:',
    examples: [
      'npx h2h3 run web --repetitions 20',
      'npx h2h3 run web --budget 20m                     # starts no block that would end later',
      "npx h2h3 run --url https://shop.example/ --budget 'lcp<2500ms'",
    ],
  },
  {
    id: 'live',
    title: 'Live addresses, apps:',
    examples: [
      'npx h2h3 run --url https://staging.example/ --ca company-root.pem',
      "npx h2h3 run --url https://localhost:8443/ --insecure --server-command './serve --port 8443'",
      'npx h2h3 run --app http://localhost:3000 --network 4g --server caddy,nginx',
      "npx h2h3 run --url https://staging.example/ --basic-auth 'me:${STAGING_PASSWORD}'",
    ],
  },
  {
    id: 'recorded',
    title: 'Recorded sites:',
    examples: [
      'npx h2h3 record https://staging.example/',
      'npx h2h3 run --sites staging.example --think-time',
    ],
  },
  {
    id: 'advanced',
    title: 'Advanced:',
    examples: [
      'npx h2h3 run download --probe packets',
      'npx h2h3 run web --network cable --inject candidate:delay=+20%   # would this be found?',
    ],
  },
] as const satisfies readonly HelpGroup[];

type GroupId = (typeof planGroups)[number]['id'];

/** Options that follow belong to this group. */
export function group(command: Command, id: GroupId): Command {
  return command.optionsGroup(planGroups.find((planGroup) => planGroup.id === id)?.title ?? '');
}

function addLoadOptions(command: Command): Command {
  return group(command, 'load')
    .option('--workload <list>', 'workloads by name (npx h2h3 describe)')
    .option(
      '--sites <list>',
      'pages by name, "pages", "all" (the replicas), small, medium, large, a file of site shapes, or a recorded site',
    )
    .option('--url <address>', 'a live https address; may be repeated', collect)
    .option(
      '--app <address>',
      'an app over plain HTTP, such as http://localhost:3000, behind servers of h2h3; further hosts as NAME=http://…; may be repeated',
      collect,
    )
    .option(
      '--script <file>',
      'a journey from each page: named steps, in Playwright (Chromium family) or Puppeteer (docs/journeys.md)',
    )
    .option('--view <list>', 'cold (default), repeat (the second visit in one profile), or both')
    .option('--device <name>', 'phone or tablet, such as "Pixel 5" (npx h2h3 describe devices)')
    .option('--scale <scale>', "how much of a study's preset: quick (default), standard or paper");
}

function addComparisonOptions(command: Command): Command {
  return group(command, 'compare')
    .option(
      '--arms <list>',
      'sides to compare, the baseline first: h1, h2, h3, auto, chromium@153:h3, h3+server=nginx; the same twice is an A/A run',
    )
    .option(
      '--arm <arm>',
      'one arm, never split at commas, such as "h3+flags=--enable-features=A,B"; may be repeated',
      collect,
    )
    .option(
      '--set <factor=value>',
      'for every arm that leaves it open: cpu=25%, prefers=color-scheme:dark (npx h2h3 describe factors); may be repeated',
      collect,
    );
}

function addPlaceOptions(command: Command): Command {
  const chosen = group(command, 'where')
    .option(
      '--client <list>',
      'chromium, chrome, edge, opera, firefox, webkit, embedded, chromium@153, or a path (npx h2h3 describe clients)',
    )
    .option('--network <list>', 'networks by name (npx h2h3 describe networks)')
    .option(
      '--audience <file>',
      'who the users are, in place of networks: segments or page views as CSV or JSON, or one of crux-world-2019, crux-india-2019, crux-round-trips-2024 (docs/for-our-users.md)',
    )
    .option('--server <list>', 'servers by name (npx h2h3 describe servers)');
  return addHostOptions(chosen);
}

function addLengthOptions(command: Command): Command {
  return group(command, 'long')
    .option('--repetitions <n>', 'blocks: every arm of every condition once each')
    .option(
      '--recorded <n|all>',
      'further blocks that are recorded, with films and waterfalls; they judge no times (default: 2)',
    )
    .option(
      '--budget <time|limit|file>',
      "20m: start no block that would end later. 'lcp<2500ms', or a file of such limits: exit with 1 if a median is significantly beyond one. May be repeated",
      collect,
    )
    .option(
      '--sequential',
      'stop when all primary comparisons are decided (at most 20 blocks, or --repetitions)',
    )
    .option('--no-sequential', 'run all blocks, also of a preset that stops when decided');
}

/** How a live address is reached, and its server started. */
export function addReachOptions(command: Command): Command {
  return command
    .option('--ca <file>', 'trust the certificates in this PEM file too')
    .option('--insecure', 'accept the certificate that is shown when the run begins')
    .option(
      '--connect-to <host:port:address:port>',
      'connect there instead (Chromium family); may be repeated',
      collect,
    )
    .option(
      '--server-command <command>',
      "start the server by this command line for the run, such as 'docker run --rm …'",
    )
    .option(
      '--server-ready <address>',
      'with --server-command: answers when it is ready (default: the --url or --app)',
    )
    .option('--server-protocol <list>', 'with --server-command: its protocols (default: h2,h3)');
}

function addLiveOptions(command: Command): Command {
  return addAccessOptions(addBlockOption(addReachOptions(group(command, 'live'))));
}

export function addBlockOption(command: Command): Command {
  return command.option(
    '--block <pattern>',
    'leave out addresses with this part, * is anything; may be repeated',
    collect,
  );
}

/** What opens pages of the user's to a browser. */
export function addAccessOptions(command: Command): Command {
  return command
    .option(
      '--header <name: value>',
      "send this header to the page's own origin; secrets as '${NAME}' (environment) or '${file:PATH}'; may be repeated",
      collect,
    )
    .option(
      '--cookie <name=value>',
      "a cookie of the page's host, its value as '${NAME}' or '${file:PATH}'; may be repeated",
      collect,
    )
    .option('--basic-auth <user:password>', "log in by HTTP, such as 'me:${STAGING_PASSWORD}'")
    .option('--storage-state <file>', 'cookies and local storage that Playwright saved')
    .option(
      '--login <script>',
      'log in once, by a Puppeteer module: export default async ({ page, url, secret }) => …',
    );
}

export function addAppOptions(command: Command): Command {
  return command
    .option(
      '--app-host <host>',
      'the Host that the app is asked by; own: that of its address (default: as browsers ask)',
    )
    .option('--app-compress', 'compress text that the app sends as it is')
    .option(
      '--third-parties <what>',
      'other hosts: blocked (default), live, or the folder of a recording that answers for them',
    );
}

function addReplayOptions(command: Command): Command {
  return group(command, 'recorded')
    .option('--think-time', 'wait as long as the recorded servers did')
    .option('--deterministic', 'the same time and random numbers for scripts in each load')
    .option(
      '--misses <percent>',
      'unanswered requests that a trial may have (default: 2, none of HTML, CSS, JavaScript, fonts, images)',
    );
}

function addAdvancedOptions(command: Command): Command {
  return group(command, 'advanced')
    .option(
      '--probe <name>',
      'record more, such as packets (npx h2h3 describe probes); may be repeated',
      collect,
    )
    .option('--seed <n>', 'seed of the order of trials')
    .option(
      '--inject <fault>',
      'worsen an arm on purpose: candidate:delay=+20%, candidate:rate=-20%, h3:connect=+50ms; may be repeated',
      collect,
    )
    .option(
      '--allow-congestion-mismatch',
      'permit unlike congestion control of TCP and QUIC on an impaired network',
    )
    .option('--max-trials <n>', 'refuse a plan of more trials than this (default 100000)')
    .option('--exploratory', 'run even a plan that can never decide; every result is marked')
    .option(
      '--quick-start',
      'with --exploratory: begin at once, with paths checked in about a second and nothing loaded to be discarded',
    );
}

/** What people say to `run` and `plan` that belongs to another option; said by the parser it would be an unknown option or one word too many. */
function refuseForeignTargets(command: Command): void {
  const [source, ...more] = command.args;
  if (more.length > 0)
    throw new H2h3Error('usage', `one preset or plan file can be named, got ${[source, ...more].join(' ')}`, {
      next: 'Lists have commas and no blanks: --arms h2,h3.',
    });
  if (command.getOptionValue('margin') !== undefined && command.getOptionValue('baseline') === undefined)
    throw new H2h3Error('usage', '--margin belongs to `gate`, which judges by it', {
      next: "A run's margins are in its plan file, such as `margins: { pltMs: 0.03 }`; afterwards: `npx h2h3 gate DIR --margin 3%`.",
    });
}

/**
 * The flags by which `run` and `plan` override a preset or a plan file.
 *
 * @param progress is told of options under the names that they had before
 */
export function addPlanOptions(command: Command, progress: Pick<Progress, 'say'>): Command {
  const chosen = command
    .argument('[source]', 'a preset (npx h2h3 describe presets) or a plan file (default: h2h3.config.yaml)')
    .addOption(new Option('--margin <share>').hideHelp())
    .allowExcessArguments()
    .hook('preAction', (_, acting) => refuseForeignTargets(acting));
  const ofContent = addPlaceOptions(addComparisonOptions(addLoadOptions(chosen)));
  addFormerOption(ofContent, '--evidence <n|all>', 'recorded', progress);
  return addAdvancedOptions(addReplayOptions(addAppOptions(addLiveOptions(addLengthOptions(ofContent)))));
}
