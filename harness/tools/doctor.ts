import { machineRows } from './doctor-machine.ts';
import { pathRows } from './doctor-path.ts';
import { programRows } from './doctor-programs.ts';
import { serverRows } from './doctor-servers.ts';
import type { DoctorRow } from './doctor-row.ts';
import type { SetupContext } from './setup-context.ts';

/** What this machine can and cannot do. Installs, unpacks and changes nothing. */
export async function doctor(context: SetupContext): Promise<DoctorRow[]> {
  const [programs, servers, path, machine] = await Promise.all([
    programRows(context),
    serverRows(context),
    pathRows(context),
    machineRows(context),
  ]);
  return [...programs, ...servers, ...path, ...machine];
}
