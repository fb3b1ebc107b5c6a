import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { serverSoftware } from './registry.ts';

/** Fetches or builds every server that this machine can have. @returns a line for each, with the reason where it cannot. */
export async function setUpServers(context: SetupContext): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, ensure } of serverSoftware) {
    try {
      const { version, place } = await ensure(context);
      lines.push(`${name} ${version}: ${place}`);
    } catch (thrown) {
      if (context.signal.aborted || !(thrown instanceof H2h3Error)) throw thrown;
      lines.push(`${name}: unsupported here: ${messageOf(thrown)}`);
    }
  }
  return lines;
}
