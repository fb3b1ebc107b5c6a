import { givenPath } from '../../app/given-path.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { wholeNumber } from '../../app/whole-number.ts';
import { formatTable } from '../table.ts';
import { terminalOptions, type AddCommand } from './command.ts';

interface SendersFlags {
  readonly server: string;
  readonly client: string;
  readonly repetitions: string;
  readonly baseline?: string;
  readonly out?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

const examples = `
Examples:
  npx h2h3 senders                                   Caddy, about ten minutes
  npx h2h3 senders --server nginx@1.26,nginx@1.30    two versions, in the same blocks
  npx h2h3 senders --server nginx --baseline before/senders.json --out after
  npx h2h3 senders --server ngtcp2 --client curl     a server that has downloads over HTTP/3 alone

The same command on the same day continues what was interrupted. With fewer than eight repetitions nothing is decided.`;

export const addSendersCommand: AddCommand = (program, context, exit) => {
  program
    .command('senders')
    .description('measure from outside how servers send: first flight, growth, bursts, loss, outages')
    .option('--server <list>', 'servers by name, with a version if wanted', 'caddy')
    .option('--client <name>', 'who reads the files', 'best')
    .option('--repetitions <n>', 'blocks, each with every server over both protocols', '8')
    .option('--all', 'shares next to CUBIC and BBR, and reordering, too: twice the time')
    .option(
      '--baseline <file>',
      'senders.json of an earlier measurement: exit code 1 where a property is worse',
    )
    .option('--out <dir>', 'folder of the runs and the page (default: results/senders-DAY-SERVERS)')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (flags: SendersFlags) => {
      const { measureSenders, senderRows } = await import('../../app/senders/senders.ts');
      const servers = flags.server.split(',').map((name) => name.trim());
      if (new Set(servers).size < servers.length)
        throw new H2h3Error('usage', `--server names a server twice: ${flags.server}`, {
          next: 'Name each once.',
        });
      const { senders, pagePath, changes, exitCode } = await measureSenders(
        {
          servers,
          client: flags.client,
          repeats: wholeNumber('repetitions', flags.repetitions, 1, 1000),
          all: flags.all === true,
          baseline: flags.baseline,
          out: flags.out,
        },
        context,
      );
      context.progress.clear();
      if (flags.json === true) context.print(JSON.stringify(senders));
      else {
        const { headline, findings } = senders;
        context.print(
          [
            `${headline}.`,
            ...findings.map((finding) => `  ${finding}.`),
            ...changes.map(({ isWorse, sentence }) => `${isWorse ? '▼ worse' : '◆ changed'}: ${sentence}.`),
            ...(flags.baseline !== undefined && changes.length === 0 ? ['No property changed.'] : []),
            '',
            formatTable(senderRows(senders), terminalOptions().columns),
            `page: ${givenPath(pagePath)}`,
          ].join('\n'),
        );
      }
      exit(exitCode);
    });
};
