import { machineRows } from '../../../harness/tools/doctor-machine.ts';
import { pathRows } from '../../../harness/tools/doctor-path.ts';
import { programRows } from '../../../harness/tools/doctor-programs.ts';
import type { DoctorRow } from '../../../harness/tools/doctor-row.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { serverSoftware } from '../../../harness/servers/registry.ts';
import type { ServerSoftware } from '../../../harness/servers/server-software.ts';
import { messageOf } from '../../core/model/errors.ts';
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
    serverSoftware.slice(1).map(async (software): Promise<DoctorRow> => {
      const row = { item: `server ${software.name}`, required: false };
      try {
        const program = await software.find(context);
        if (program !== undefined)
          return { ...row, state: 'ok', found: `${program.version}, ${program.place}` };
        return { ...row, ...hadLater(software), found: 'not found' };
      } catch (thrown) {
        return { ...row, ...hadLater(software), found: messageOf(thrown) };
      }
    }),
  );
}

function hadLater({ id, name, builtWhenNamed }: ServerSoftware): Pick<DoctorRow, 'state' | 'costs' | 'fix'> {
  const does = builtWhenNamed === true ? 'builds it in some minutes' : 'fetches it';
  return {
    state: 'missing',
    costs: `the first trial against ${name} ${does}, or is unsupported where it cannot be had`,
    fix:
      builtWhenNamed === true
        ? `Name it in a run, such as --arms quic-go:h3+server=${id}.`
        : 'npx h2h3 setup --system',
  };
}
