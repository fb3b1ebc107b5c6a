import { doctor as inspect } from '../../../harness/tools/doctor.ts';
import type { DoctorRow } from '../../../harness/tools/doctor-row.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';

/** What this machine can and cannot do, and what mends it. Installs and changes nothing. */
export async function doctor(context: AppContext): Promise<DoctorRow[]> {
  return inspect(await setupContextOf(context));
}
