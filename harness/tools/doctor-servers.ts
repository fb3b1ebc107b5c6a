import { messageOf } from '../../src/model/errors.ts';
import { serverSoftware } from '../servers/registry.ts';
import type { DoctorRow } from './doctor-row.ts';
import type { SetupContext } from './setup-context.ts';

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
  fix: 'npx h2h3 setup --system',
});
