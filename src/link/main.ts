/**
 * `h2h3-link NETWORK -- COMMAND`: `h2h3 exec` as a program of its own. Its package holds this, the library and the fixture for
 * Playwright, and nothing that measures.
 */
import { asExec } from '../cli/commands/exec.ts';
import { addServePathCommand } from '../cli/commands/serve-path.ts';
import type { AddCommand } from '../cli/commands/command.ts';
import { ownProcess } from '../cli/own-process.ts';
import { runProgram } from '../cli/run-program.ts';
import { formatTable, widthOf } from '../cli/table.ts';
import { exitCodes } from '../core/model/exit-codes.ts';
import { linkWords } from '../core/model/program-words.ts';

const description = 'Runs any command behind an emulated network: over TCP, QUIC and UDP, without root';

const examples = `
Examples:
  npx h2h3-link 4g -- npx playwright test                   # what the browser asks of other machines, over 4G
  npx h2h3-link cable --local 3000 -- npx playwright test   # and this machine's localhost:3000
  npx h2h3-link --down 10mbit --up 2mbit --rtt 80ms --loss 1% --local 3000 -- curl http://localhost:3000/
  npx h2h3-link cable --set outage=2s@5s --local 3000 -- npx playwright test   # nothing passes from the fifth to the seventh second
  npx h2h3-link cable --proxy -- curl http://localhost:3000/  # where no namespaces can be made: TCP alone
  npx h2h3-link none,cable,4g --repeat 5 --json times.json -- ./load-test.sh
  npx h2h3-link networks                                    # the networks by name
  npx h2h3-link factors                                     # what --set sets

The exit code is the command's, and 127 where there is no such command. Where the network cannot be had, or is asked for wrongly, a
sentence says so with the next step, the command is not started, and the exit code is 3. It is 4 where the network ends under the
command. Lines of h2h3-link go to standard error.`;

/** The first word is a network, unless it is an option or one of the other commands. */
function asTyped([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined || /^(?:-.*|networks|factors|help|serve-path)$/.test(first))
    return [first ?? '--help', ...others];
  return ['--network', first, ...others];
}

const add: AddCommand = (program, context, exit) => {
  const printTable = (rows: string[][]): void =>
    context.print(formatTable(rows, widthOf(process.stdout, process.env)));
  asExec(program.addHelpText('after', examples), context, exit);
  program
    .command('networks')
    .description('list the networks that have a name')
    .action(async () => {
      const { networkRows } = await import('../app/exec/network-named.ts');
      printTable([['network', 'what it is'], ...networkRows()]);
    });
  program
    .command('factors')
    .description('list what --set sets')
    .action(async () => {
      const { linkFactorRows } = await import('../app/exec/link-settings.ts');
      printTable([['factor', 'what it is', 'such as'], ...linkFactorRows()]);
    });
  addServePathCommand(program, context, exit);
};

process.exitCode = await runProgram(
  // What is refused has one code: every other may be the command's own.
  { words: linkWords, description, add, refusalCode: exitCodes.unsupported },
  asTyped(process.argv.slice(2)),
  ownProcess(),
);
