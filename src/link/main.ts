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

const description = 'Runs any command behind an emulated network: over TCP, QUIC and UDP, without root';

const examples = `
Examples:
  npx h2h3-link 4g -- npx playwright test                   # what the browser asks of other machines, over 4G
  npx h2h3-link cable --local 3000 -- npx playwright test   # and this machine's localhost:3000
  npx h2h3-link --down 10mbit --up 2mbit --rtt 80ms --loss 1% --local 3000 -- curl http://localhost:3000/
  npx h2h3-link cable --set outage=2s@5s --local 3000 -- npx playwright test   # nothing passes from the fifth to the seventh second
  npx h2h3-link none,cable,4g --repeat 5 --json times.json -- ./load-test.sh
  npx h2h3-link networks                                    # the networks by name

The exit code is the command's. Lines of h2h3-link go to standard error.`;

/** The first word is a network, unless it is an option or one of the other commands. */
function asTyped([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined || /^(?:-.*|networks|serve-path)$/.test(first))
    return [first ?? '--help', ...others];
  return ['--network', first, ...others];
}

const add: AddCommand = (program, context, exit) => {
  asExec(program.addHelpText('after', examples), (network) => `npx h2h3-link ${network}`, context, exit);
  program
    .command('networks')
    .description('list the networks that have a name')
    .action(async () => {
      const { networkRows } = await import('../app/exec/network-named.ts');
      const rows = [['network', 'what it is'], ...networkRows()];
      context.print(formatTable(rows, widthOf(process.stdout, process.env)));
    });
  addServePathCommand(program, context, exit);
};

process.exitCode = await runProgram(
  { name: 'h2h3-link', description, add },
  asTyped(process.argv.slice(2)),
  ownProcess(),
);
