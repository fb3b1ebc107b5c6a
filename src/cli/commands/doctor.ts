import { exitCodes } from '../../core/model/exit-codes.ts';
import type { HostFlags } from '../host-options.ts';
import { formatTable } from '../table.ts';
import type { AddCommand } from './command.ts';

interface DoctorFlags extends HostFlags {
  readonly json?: boolean;
}

export const addDoctorCommand: AddCommand = (program, context, exit) => {
  program
    .command('doctor')
    .description('what this machine can and cannot do, and the command that fixes it')
    .option('--server-host <user@host>', 'the same of a machine on which servers are to start, by ssh')
    .option(
      '--client-host <user@host>',
      'the same of a machine on which browsers are to start; both may be asked',
    )
    .option('--json', 'print the rows as JSON')
    .action(async ({ json, serverHost, clientHost }: DoctorFlags) => {
      const { doctor, doctorOfMachines } = await import('../../app/machine/doctor.ts');
      const isHere = serverHost === undefined && clientHost === undefined;
      const rows = isHere
        ? await doctor(context)
        : await doctorOfMachines({ server: serverHost, client: clientHost }, context);
      if (json === true) {
        context.print(JSON.stringify({ rows }, null, 1));
      } else {
        const cells = rows.map(({ item, state, found, costs, fix }) => [
          item,
          state,
          found,
          costs ?? '',
          fix ?? '',
        ]);
        context.print(
          formatTable([['item', 'state', 'found', 'what lacking it costs', 'fix with'], ...cells]),
        );
      }
      if (rows.some(({ state, required }) => state === 'missing' && required)) exit(exitCodes.unsupported);
    });
};
