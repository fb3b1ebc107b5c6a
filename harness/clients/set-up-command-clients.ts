import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { commandClients } from './commands/registry.ts';

/** Fetches or builds every command-line client that has a build of its own. @returns a line for each, with the reason where it cannot be had. */
export async function setUpCommandClients(context: SetupContext): Promise<string[]> {
  const lines: string[] = [];
  for (const { title, tool } of commandClients) {
    if (tool === undefined) continue;
    try {
      lines.push(`${title}: ${await tool.ensure(context)}`);
    } catch (thrown) {
      if (context.signal.aborted || !(thrown instanceof H2h3Error)) throw thrown;
      lines.push(`${title}: unsupported here: ${messageOf(thrown)}`);
    }
  }
  return lines;
}
