import { findOnPath } from '../../src/core/system/find-executable.ts';
import { serverSoftware } from '../servers/registry.ts';
import { serverMachineRows } from '../tools/doctor-machine.ts';
import type { DoctorRow } from '../tools/doctor-row.ts';
import { serverRows } from '../tools/doctor-servers.ts';
import type { SetupContext } from '../tools/setup-context.ts';

/** What servers use where it is there. */
const programs = [
  {
    program: 'perl',
    costs: 'TCP keeps the congestion control of the machine',
    fix: 'sudo apt-get install perl-base',
  },
  {
    program: 'ss',
    costs: 'the congestion control of TCP is set and not read back',
    fix: 'sudo apt-get install iproute2',
  },
  {
    program: 'ethtool',
    costs: 'reports do not say which offloads the machine has',
    fix: 'sudo apt-get install ethtool',
  },
] as const;

/** What this machine has of what servers need that a run on another one starts here. Installs and changes nothing. */
export async function serverHostRows(context: SetupContext): Promise<DoctorRow[]> {
  return [
    ...(await serverRows(serverSoftware, context, 'A run that names it with --server fetches it.')),
    ...(await Promise.all(programs.map((each) => programRow(each, context)))),
    ...(await serverMachineRows(context)),
  ];
}

async function programRow(
  { program, costs, fix }: (typeof programs)[number],
  { platform, environment }: SetupContext,
): Promise<DoctorRow> {
  const searchPath = `${environment['PATH'] ?? ''}:/usr/sbin:/sbin`;
  const found = await findOnPath(program, { platform, environment: { PATH: searchPath } });
  const row = { item: program, required: false };
  return found === undefined
    ? { ...row, state: 'missing', found: 'not found', costs, fix }
    : { ...row, state: 'ok', found };
}
