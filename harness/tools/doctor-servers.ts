import { messageOf } from '../../src/core/model/errors.ts';
import type { ServerSoftware } from '../servers/server-software.ts';
import type { DoctorRow } from './doctor-row.ts';
import type { SetupContext } from './setup-context.ts';

/** A row for each server. @param fetchedBy the command that brings those that are fetched */
export async function serverRows(
  software: readonly ServerSoftware[],
  context: SetupContext,
  fetchedBy: string,
): Promise<DoctorRow[]> {
  return Promise.all(
    software.map(async (one): Promise<DoctorRow> => {
      const row = { item: `server ${one.name}`, required: false };
      try {
        const program = await one.find(context);
        if (program !== undefined)
          return { ...row, state: 'ok', found: `${program.version}, ${program.place}` };
        return { ...row, ...hadLater(one, fetchedBy), found: 'not found' };
      } catch (thrown) {
        return { ...row, ...hadLater(one, fetchedBy), found: messageOf(thrown) };
      }
    }),
  );
}

function hadLater(
  { id, name, builtWhenNamed }: ServerSoftware,
  fetchedBy: string,
): Pick<DoctorRow, 'state' | 'costs' | 'fix'> {
  const does = builtWhenNamed === true ? 'builds it in some minutes' : 'fetches it';
  return {
    state: 'missing',
    costs: `the first trial against ${name} ${does}, or is unsupported where it cannot be had`,
    fix: builtWhenNamed === true ? `Name it in a run, such as --arms quic-go:h3+server=${id}.` : fetchedBy,
  };
}
