import { join } from 'node:path';
import type { Command } from 'commander';
import { givenPath } from '../../app/given-path.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { wholeNumber } from '../../app/whole-number.ts';
import { parseDuration } from '../../app/duration.ts';
import { listIn } from '../list-in.ts';
import { formatTable } from '../table.ts';
import type { LiveFlags } from '../../app/plan/live-flags.ts';
import type { LiveSender } from '../../app/senders/sender-plans.ts';
import type { MeasuredSenders } from '../../app/senders/senders.ts';
import type { SendersPage } from '../../app/senders/senders-page.ts';
import { addReachOptions } from '../plan-options.ts';
import { terminalOptions, type AddCommand } from './command.ts';

interface SendersFlags extends Pick<
  LiveFlags,
  'ca' | 'insecure' | 'connectTo' | 'serverCommand' | 'serverReady' | 'serverProtocol'
> {
  readonly server?: string;
  readonly url?: string;
  readonly client: string;
  readonly repetitions: string;
  readonly budget?: string;
  readonly baseline?: string;
  /** True: of what the project keeps. */
  readonly page?: string | true;
  readonly out?: string;
  readonly all?: boolean;
  readonly property?: string;
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 senders                                   Caddy, about four minutes
  npx h2h3 senders --server nginx@1.26,nginx@1.30    two versions, in the same blocks
  npx h2h3 senders --server nginx --baseline before/senders.json --out after
  npx h2h3 senders --server ngtcp2 --client curl     a server that has downloads over HTTP/3 alone
  npx h2h3 senders --server go --property first-flight,amplification   two of them, in less time
  npx h2h3 senders --page                            the page of what the project keeps, and no run
  npx h2h3 senders --url https://localhost:8443/10mb.html --insecure --server-command 'build/my-server --port 8443'

The same command on the same day continues what was interrupted. With fewer than eight repetitions nothing is decided.`;

/** @throws H2h3Error `usage` for what is about an address without one */
async function liveOf(flags: SendersFlags): Promise<LiveSender | undefined> {
  const { liveOptionsOf, refuseOwnServer } = await import('../../app/plan/live-flags.ts');
  const { url, server, ...others } = flags;
  const options = liveOptionsOf(others);
  if (url === undefined && Object.keys(options).length > 0)
    throw new H2h3Error('usage', 'nothing says which file the server answers with', {
      next: 'Name its address, such as --url https://localhost:8443/file.html.',
    });
  if (url === undefined) return undefined;
  refuseOwnServer({ url: [url], ...(server === undefined ? {} : { server }) });
  return { url, options };
}

/** With which of the options a page is written without a run. */
const ofPages: readonly string[] = ['page', 'out', 'json'];

/** The page of what was measured before. @throws H2h3Error `usage` beside an option that measures, `bad-input` for another file */
async function pageOf(command: Command, { out, page }: SendersFlags): Promise<SendersPage> {
  const given = command.options.find(
    (option) =>
      !ofPages.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given !== undefined)
    throw new H2h3Error('usage', `--page measures nothing, so that ${given.long} is of no use`, {
      next: 'Leave out --page to measure, or the other option.',
    });
  const { keptSendersFile, readSenders, writeSendersPage } =
    await import('../../app/senders/senders-page.ts');
  const senders = readSenders(typeof page === 'string' ? page : keptSendersFile());
  return writeSendersPage(out ?? join('results', 'senders'), senders);
}

/** What the terminal shows: what stands out, what changed since a baseline, and a row for each property. */
async function textOf(
  { senders, pagePath, changes = [] }: SendersPage & Partial<Pick<MeasuredSenders, 'changes'>>,
  { json, baseline }: SendersFlags,
): Promise<string> {
  if (json === true) return JSON.stringify(senders);
  const { senderNotes, senderRows } = await import('../../app/senders/senders.ts');
  return [
    `${senders.headline}.`,
    ...senders.findings.map((finding) => `  ${finding}.`),
    ...changes.map(({ isWorse, sentence }) => `${isWorse ? '▼ worse' : '◆ changed'}: ${sentence}.`),
    ...(baseline !== undefined && changes.length === 0 ? ['No property changed.'] : []),
    '',
    formatTable(senderRows(senders), terminalOptions().columns),
    ...senderNotes(senders),
    `page: ${givenPath(pagePath)}`,
  ].join('\n');
}

export const addSendersCommand: AddCommand = (program, context, exit) => {
  const command = program
    .command('senders')
    .description('measure from outside how servers send: first flight, growth, bursts, loss, outages')
    .option('--server <list>', 'servers by name, with a version if wanted (default: caddy)')
    .option(
      '--url <address>',
      'in their place a live https address with a file of 10 to 12 MB that browsers show',
    )
    .option('--client <name>', 'who reads the files', 'best')
    .option('--repetitions <n>', 'blocks, each with every server over both protocols', '8')
    .option(
      '--all',
      'shares next to others, reordering, single lost packets, handshakes, ECN and slow readers, too',
    )
    .option(
      '--property <list>',
      'some alone, as senders.csv names them: first-flight,burst (any other word lists all)',
    )
    .option(
      '--budget <time>',
      'leave out what would end after this time: 5m is enough for one server without --all; repeats are never fewer',
    )
    .option(
      '--baseline <file>',
      'senders.json of an earlier measurement: exit code 1 where a property is worse',
    )
    .option(
      '--page [file]',
      'measure nothing, and write the page of a senders.json (default: that of eight blocks with six servers, which the project keeps)',
    )
    .option('--out <dir>', 'folder of the runs and the page (default: results/senders-DAY-SERVERS)')
    .option('--json', 'print JSON')
    .addHelpText('after', examples);
  addReachOptions(command.optionsGroup('Live address:')).action(async (flags: SendersFlags) => {
    if (flags.page !== undefined) {
      context.print(await textOf(await pageOf(command, flags), flags));
      return;
    }
    const { measureSenders } = await import('../../app/senders/senders.ts');
    const servers = listIn(flags.server ?? 'caddy') ?? [];
    const live = await liveOf(flags);
    if (flags.all === true && flags.property !== undefined)
      throw new H2h3Error('usage', '--property measures some alone, and --all measures all', {
        next: 'Give one of them.',
      });
    if (new Set(servers).size < servers.length)
      throw new H2h3Error('usage', `--server names a server twice: ${servers.join(',')}`, {
        next: 'Name each once.',
      });
    const measured = await measureSenders(
      {
        servers,
        live,
        client: flags.client,
        repeats: wholeNumber('repetitions', flags.repetitions, 1, 1000),
        budgetMs: flags.budget === undefined ? undefined : parseDuration(flags.budget),
        all: flags.all === true,
        properties: listIn(flags.property),
        baseline: flags.baseline,
        out: flags.out,
      },
      context,
    );
    context.progress.clear();
    context.print(await textOf(measured, flags));
    exit(measured.exitCode);
  });
};
