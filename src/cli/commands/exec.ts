import type { Command } from 'commander';
import { pathCheckDepths } from '../../core/model/path-check-depth.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { h2h3Words } from '../../core/model/program-words.ts';
import { plainText } from '../plain-text.ts';
import type { ExecRequest } from '../../app/exec/exec.ts';
import { oneOf } from '../../app/one-of.ts';
import type { WorldUse } from '../../app/exec/world.ts';
import { wholeNumber } from '../../app/whole-number.ts';
import { formatTable, widthOf } from '../table.ts';
import { collect, type AddCommand, type CommandContext } from './command.ts';

interface Flags {
  readonly network?: string;
  readonly down?: string;
  readonly up?: string;
  readonly rtt?: string;
  readonly loss?: string;
  readonly schedule?: string;
  readonly set?: readonly string[];
  readonly local?: readonly string[];
  readonly far?: string;
  readonly repeat: string;
  readonly strict?: boolean;
  /** A depth, or false: none. */
  readonly check: string | false;
  readonly outside: boolean;
  readonly proxy?: boolean;
  readonly json?: string;
}

const examples = `
Examples:
  npx h2h3 exec --network cable --local 3000 -- npx playwright test      # localhost:3000 is across the path
  npx h2h3 exec --network 4g -- curl -o page.html https://shop.example/  # as root, beyond this machine
  npx h2h3 exec --network dsl --set mtu=1400 --far 'python3 -m http.server 8000' -- sh -c 'curl -O http://$H2H3_FAR:8000/file'
  npx h2h3 exec --down 10mbit --up 2mbit --rtt 80ms --loss 1% --local 3000 -- npx playwright test
  npx h2h3 exec --down 8mbit --up 2mbit --rtt 60ms --schedule tunnel.csv --local 3000 -- npx playwright test
  npx h2h3 exec --network none,cable,4g --repeat 5 --json times.json -- ./load-test.sh

The exit code is the command's; 127 where there is no such command. Lines of h2h3 go to standard error.
Without --local and --far a command is not started where nothing beyond this machine can be reached, unless --no-outside says that
it needs nothing there: then what it asks there fails at once. For a server of this machine --local is the answer.
A server that the command starts itself is at its own end, not across the path: start it before, and name its port by --local.
A port of --local at which nothing listens is refused, unless --far starts what answers there.`;

/** Servers that are named are what a command is for, and most such commands need nothing else. */
function worldOf({ outside, local, far }: Flags): WorldUse {
  if (!outside) return 'none';
  return local === undefined && far === undefined ? 'required' : 'where-possible';
}

function checkOf({ check, strict }: Flags): Pick<ExecRequest, 'check' | 'checkDepth'> {
  if (check === false) return { check: 'left-out' };
  const checkDepth = oneOf('depth of --check', pathCheckDepths, check);
  return { check: strict === true ? 'required' : 'reported', checkDepth };
}

export const addExecCommand: AddCommand = (program, context, exit) => {
  const command = program
    .command('exec')
    .description('run any command behind a checked network, without root where user namespaces allow it');
  asExec(command.addHelpText('after', examples), context, exit);
};

/** Gives a command the words and the work of `exec`, in the words of the program. */
export function asExec(command: Command, context: CommandContext, exit: (code: number) => void): Command {
  const program = context.program ?? h2h3Words;
  return command
    .argument('[command...]', 'the command and its words, behind --')
    .option(
      '--network <list>',
      `networks by name, one after the other (${program.networkList}); none is without one`,
    )
    .option('--down <rate>', 'instead of a name, or besides: rate towards the client, such as 10mbit')
    .option('--up <rate>', 'rate from the client')
    .option('--rtt <time>', 'round trip, such as 80ms')
    .option('--loss <share>', 'of packets, each way, such as 1%')
    .option(
      '--schedule <file>',
      'CSV of t_ms and rate_mbps, delay_ms, loss_percent, which both directions follow from the start of the command on',
    )
    .option(
      '--set <factor=value>',
      `a factor of the link, such as mtu=1400 (${program.factorList}); may be repeated`,
      collect,
    )
    .option(
      '--local <port>',
      "lead this machine's localhost:PORT across the network, TCP and UDP; may be repeated",
      collect,
    )
    .option('--far <command>', 'start a server at the far end first; its address is $H2H3_FAR')
    .option('--repeat <n>', 'run the command so often over each network', '1')
    .option('--strict', 'do not run the command over a network that fails its check (exit 4)')
    .option(
      '--check <depth>',
      'quick: measure the network for about a second before, without TCP; full: for ten seconds',
      'quick',
    )
    .option('--no-check', 'begin at once: measure nothing before')
    .option('--no-outside', 'lead no way beyond this machine')
    .option(
      '--proxy',
      'where no namespaces can be made: a SOCKS5 and HTTP proxy shapes rate and delay of TCP, and neither QUIC nor loss',
    )
    .option('--json <file>', 'write checks, times, exit codes and counters to this file')
    .action(async (words: string[], flags: Flags) => {
      if (words.length === 0)
        throw new H2h3Error('usage', 'no command to run', {
          next: `It stands behind two hyphens: ${program.behind(flags.network ?? 'cable')} -- curl https://shop.example/`,
        });
      const { exec, tableRows } = await import('../../app/exec/exec.ts');
      const { exitCode, report } = await exec(
        {
          networks: (flags.network ?? '').split(',').filter((name) => name !== ''),
          own: flags,
          repeat: wholeNumber('repeat', flags.repeat, 1, 10_000),
          set: flags.set ?? [],
          localPorts: (flags.local ?? []).map((port) => wholeNumber('local', port, 1, 65_535)),
          far: flags.far,
          world: worldOf(flags),
          proxy: flags.proxy === true,
          ...checkOf(flags),
          jsonFile: flags.json,
          command: words,
        },
        context,
        context.passSignals,
      );
      if (report !== null && report.runs.length > 1) {
        const rows = formatTable(tableRows(report), widthOf(process.stderr, process.env));
        // Standard output is the command's.
        process.stderr.write(`${plainText(rows)}\n`);
      }
      exit(exitCode);
    });
}
