import { statSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { Progress } from '../app/app-context.ts';
import { H2h3Error } from '../model/errors.ts';

/** Plan file that is meant in its folder where none is named. */
const defaultPlanFile = 'h2h3.config.yaml';

/** The preset or plan file that was named, else `h2h3.config.yaml` of the working directory where there is one. */
export function planSource(named: string | undefined, progress: Progress): string | undefined {
  if (named !== undefined) return named;
  if (statSync(defaultPlanFile, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  progress.say(`plan: ${defaultPlanFile} of this folder`);
  return defaultPlanFile;
}

function collect(value: string, earlier: readonly string[] | undefined): string[] {
  return [...(earlier ?? []), value];
}

/** How recorded sites are replayed. */
function addReplayOptions(command: Command): Command {
  return command
    .option('--think-time', 'recorded sites: wait as long as the recorded servers did')
    .option('--deterministic', 'recorded sites: the same time and random numbers for scripts in each load')
    .option(
      '--misses <percent>',
      'recorded sites: unanswered requests that a trial may have (default: 2, none of HTML, CSS, JavaScript, fonts, images)',
    );
}

/** How the order and the number of trials come about, and what is run all the same. */
function addTrialOptions(command: Command): Command {
  return command
    .option('--probe <name>', 'add a probe, such as lighthouse; may be repeated', collect)
    .option('--seed <n>', 'seed of the order of trials')
    .option(
      '--inject <fault>',
      'worsen an arm on purpose, to see whether it is found: candidate:delay=+20%, candidate:rate=-20%, h3:connect=+50ms; may be repeated',
      collect,
    )
    .option(
      '--allow-congestion-mismatch',
      'compare even where TCP and QUIC run unlike congestion control on an impaired network',
    )
    .option(
      '--sequential',
      'judge while running, and stop when everything primary is decided (at most 20 blocks, or --repetitions)',
    )
    .option('--no-sequential', 'run all blocks, also of a preset that stops when decided')
    .option('--max-trials <n>', 'refuse a plan of more trials than this (default 100000)')
    .option('--exploratory', 'run even a plan that could never decide; every result is marked');
}

/** What may be said about live addresses. */
function addLiveOptions(command: Command): Command {
  return command
    .option('--ca <file>', 'live addresses: trust the certificates in this PEM file too')
    .option('--insecure', 'live addresses: accept the certificate that is shown when the run begins')
    .option(
      '--connect-to <host:port:address:port>',
      'live addresses: connect there instead (Chromium family); may be repeated',
      collect,
    )
    .option(
      '--block <pattern>',
      'live addresses: do not ask for addresses with this part, * for anything; may be repeated',
      collect,
    )
    .option(
      '--server-command <command>',
      "live addresses: start their server by this command line for as long as the run takes, such as 'docker run --rm …'",
    )
    .option(
      '--server-ready <address>',
      'with --server-command: answers when it is ready (default: the --url)',
    )
    .option('--server-protocol <list>', 'with --server-command: what it speaks (default: h2,h3)')
    .option(
      '--header <name: value>',
      "live addresses: send this header to the page's own origin; secrets as '${NAME}' (environment) or '${file:PATH}'; may be repeated",
      collect,
    )
    .option(
      '--cookie <name=value>',
      "live addresses: a cookie of the page's host, its value as '${NAME}' or '${file:PATH}'; may be repeated",
      collect,
    )
    .option(
      '--basic-auth <user:password>',
      "live addresses: log in by HTTP, such as 'me:${STAGING_PASSWORD}'",
    )
    .option('--storage-state <file>', 'live addresses: cookies and local storage that Playwright saved')
    .option(
      '--login <script>',
      'live addresses: a module that logs in by Puppeteer once before anything is measured: export default async ({ page, url, secret }) => …',
    );
}

/** What people say to `run` and `plan` that goes elsewhere; said by the parser it would be an unknown option or one word too many. */
function refuseWhatGoesElsewhere(command: Command): void {
  const [source, ...more] = command.args;
  if (more.length > 0)
    throw new H2h3Error('usage', `one preset or plan file can be named, got ${[source, ...more].join(' ')}`, {
      next: 'Lists have commas and no blanks: --arms h2,h3.',
    });
  if (command.getOptionValue('margin') !== undefined)
    throw new H2h3Error('usage', '--margin belongs to `gate`, which judges by it', {
      next: "A run's margins stand in its plan file, such as `margins: { pltMs: 0.03 }`; afterwards: `npx h2h3 gate DIR --margin 3%`.",
    });
}

/** The flags by which `run` and `plan` override a preset or a plan file. */
export function addPlanOptions(command: Command): Command {
  const chosen = command
    .argument('[source]', 'a preset (npx h2h3 describe presets) or a plan file (default: h2h3.config.yaml)')
    .option('--repetitions <n>', 'blocks: every arm of every condition once each')
    .option('--scale <scale>', "how much of a study's preset: quick (default), standard or paper")
    .option(
      '--arms <list>',
      'h1, h2, h3, auto, client:protocol such as chromium@153:h3, each with factors behind it such as h3+server=nginx (npx h2h3 describe factors); the first is the baseline; the same twice is an A/A run',
    )
    .option(
      '--arm <arm>',
      'one arm, never split at commas, such as "h3+flags=--enable-features=A,B"; may be repeated, after those of --arms',
      collect,
    )
    .option(
      '--set <factor=value>',
      'for every arm that leaves it open: cpu=25%, prefers=color-scheme:dark, any of `npx h2h3 describe factors`; may be repeated',
      collect,
    )
    .option('--workload <list>', 'workloads by name (npx h2h3 describe)')
    .option(
      '--sites <list>',
      'pages by name, "pages", "all" (the replicas), a size class (small, medium, large), a file of site shapes, or the folder of a recorded site',
    )
    .option(
      '--device <name>',
      'phone or tablet to show pages on, as "Pixel 5" or "iPhone 15" (npx h2h3 describe devices)',
    )
    .option(
      '--script <file>',
      'a journey from each page: a module of named steps, in Playwright (Chromium family) or Puppeteer (docs/journeys.md)',
    )
    .option(
      '--view <list>',
      'of the pages chosen: cold (default), repeat (the second visit in one profile), or both; also NAME@repeat',
    )
    .option('--url <address>', 'a live https address as a page workload; may be repeated', collect)
    .option(
      '--client <list>',
      'chromium, chrome, edge, opera, firefox, webkit, embedded, a version such as chromium@153, or a path (npx h2h3 describe clients)',
    )
    .option('--network <list>', 'networks by name (npx h2h3 describe networks)')
    .option('--server <list>', 'servers by name (npx h2h3 describe servers)')
    .addOption(new Option('--margin <share>').hideHelp())
    .allowExcessArguments()
    .hook('preAction', (_, acting) => refuseWhatGoesElsewhere(acting));
  return addLiveOptions(addReplayOptions(addTrialOptions(chosen)));
}
