import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import type { DoctorRow } from '../tools/doctor-row.ts';
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

/** A row of `doctor` for each server but the default one, without which nothing runs and which has a row of its own. */
export async function serverRows(context: SetupContext): Promise<DoctorRow[]> {
  return Promise.all(
    serverSoftware.slice(1).map(async ({ name, find }): Promise<DoctorRow> => {
      const row = { item: `server ${name}`, required: false };
      try {
        const program = await find(context);
        if (program !== undefined)
          return { ...row, state: 'ok', found: `${program.version}, ${program.place}` };
        return { ...row, ...fetchedLater(name), found: 'not found' };
      } catch (thrown) {
        return { ...row, ...fetchedLater(name), found: messageOf(thrown) };
      }
    }),
  );
}

const fetchedLater = (name: string): Pick<DoctorRow, 'state' | 'costs' | 'fix'> => ({
  state: 'missing',
  costs: `the first trial against ${name} fetches it, or is unsupported where it cannot be had`,
  fix: 'h2h3 setup --system',
});
