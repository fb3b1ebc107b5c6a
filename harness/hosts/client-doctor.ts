import { serverMachineRows } from '../tools/doctor-machine.ts';
import { pathRows } from '../tools/doctor-path.ts';
import { clientRows } from '../tools/doctor-programs.ts';
import type { DoctorRow } from '../tools/doctor-row.ts';
import type { SetupContext } from '../tools/setup-context.ts';

/** What this machine has of what clients need that a run on another one starts here. Installs and changes nothing. */
export async function clientHostRows(context: SetupContext): Promise<DoctorRow[]> {
  return [
    ...(await clientRows(context)),
    ...(await pathRows(context)),
    ...(await serverMachineRows(context)),
  ];
}
