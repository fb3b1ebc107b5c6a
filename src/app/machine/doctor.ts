import { machineRows } from '../../../harness/tools/doctor-machine.ts';
import { pathRows } from '../../../harness/tools/doctor-path.ts';
import { programRows } from '../../../harness/tools/doctor-programs.ts';
import type { DoctorRow } from '../../../harness/tools/doctor-row.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { serverSoftware } from '../../../harness/servers/registry.ts';
import { messageOf } from '../../model/errors.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';

/** What this machine can and cannot do, and what fixes it. Installs and changes nothing. */
export async function doctor(context: AppContext): Promise<DoctorRow[]> {
  return rowsOf(await setupContextOf(context));
}

export async function rowsOf(context: SetupContext): Promise<DoctorRow[]> {
  const parts = [programRows, serverRows, pathRows, machineRows];
  return (await Promise.all(parts.map((rows) => rows(context)))).flat();
}

/** A row of `doctor` for each server but the default one, without which nothing runs and which has a row of its own. */
async function serverRows(context: SetupContext): Promise<DoctorRow[]> {
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
  fix: 'npx h2h3 setup --system',
});
