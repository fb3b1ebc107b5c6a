/**
 * `npm run verify:leftovers [-- --kills 100 --seed 1 --command encode]`: kills every command that starts programs by SIGKILL
 * at random moments, alone, with its group, and with its group and reaper, and says what was left after 10 s. About 9 s a kill.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTable } from '../../src/cli/table.ts';
import { namespaceLack } from '../support/namespaces.ts';
import { noValkeyReason } from '../support/valkey.ts';
import { commands, killCommands, ways, type CommandName } from './kill-commands.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    command: { type: 'string', multiple: true, default: [...commands] },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const lacking = new Map<CommandName, string | false | null>([
  ['shaped run', await namespaceLack()],
  ['worker', await noValkeyReason()],
]);
const asked = commands.filter((command) => values.command.includes(command));
const possible = asked.filter((command) => {
  const why = lacking.get(command) ?? false;
  if (why !== false) say(`left out: ${command}: ${why}`);
  return why === false;
});
const folder = mkdtempSync(join(tmpdir(), 'h3k-'));
const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })];
try {
  const kills = await killCommands(
    { after: (cleanUp) => void cleanUps.unshift(cleanUp as () => unknown) },
    { commands: possible, kills: Number(values.kills), seed: Number(values.seed), folder, say },
  );
  const rows = possible.map((command) => {
    const own = kills.filter((kill) => kill.command === command);
    const counts = ways.map((way) => String(own.filter((kill) => kill.way === way).length));
    const slowest = Math.max(0, ...own.map(({ goneMs }) => goneMs));
    const faults = own.filter((kill) => kill.faults.length > 0).length;
    return [command, ...counts, (slowest / 1000).toFixed(1), String(faults)];
  });
  say(formatTable([['command', ...ways, 'nothing left after at most (s)', 'faults'], ...rows]));
  const faults = kills.filter((kill) => kill.faults.length > 0).length;
  say(`${kills.length} kills, ${faults} left something`);
  process.exitCode = faults === 0 && kills.length > 0 ? 0 : 1;
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
