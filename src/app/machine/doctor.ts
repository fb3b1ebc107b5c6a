import { LinkFromClient } from '../../../harness/hosts/client-link.ts';
import { ClientPlace } from '../../../harness/hosts/client-place.ts';
import { FarLink, linkWords } from '../../../harness/hosts/far-link.ts';
import type { FarHost } from '../../../harness/hosts/far-host.ts';
import { FarPlace } from '../../../harness/hosts/far-place.ts';
import type { Answered, Asked } from '../../../harness/hosts/far-protocol.ts';
import { foreignText } from '../../../harness/hosts/foreign-text.ts';
import { serverSoftware } from '../../../harness/servers/registry.ts';
import { machineRows } from '../../../harness/tools/doctor-machine.ts';
import { pathRows } from '../../../harness/tools/doctor-path.ts';
import { programRows } from '../../../harness/tools/doctor-programs.ts';
import type { DoctorRow } from '../../../harness/tools/doctor-row.ts';
import { serverRows } from '../../../harness/tools/doctor-servers.ts';
import type { SetupContext } from '../../../harness/tools/setup-context.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { choosePort } from '../../core/system/free-port.ts';
import { setupContextOf, type AppContext } from '../app-context.ts';
import { withFarHost } from './far-host.ts';

/** What this machine can and cannot do, and what fixes it. Installs and changes nothing. */
export async function doctor(context: AppContext): Promise<DoctorRow[]> {
  return rowsOf(await setupContextOf(context));
}

export async function rowsOf(context: SetupContext): Promise<DoctorRow[]> {
  const parts = [
    programRows,
    // Without the default one nothing runs: it has a row of its own.
    (own: SetupContext) => serverRows(serverSoftware.slice(1), own, 'npx h2h3 setup --system'),
    pathRows,
    machineRows,
  ];
  return (await Promise.all(parts.map((rows) => rows(context)))).flat();
}

/** What a machine is asked about: what servers need of it, or clients. */
type Use = Asked<'doctor'>['of'];

/**
 * The same of the machines on which servers and clients are to start, one after the other, and of the link to each. h2h3 is sent
 * there where it is not there yet. Where there are two, each row but those of machines and links names its own.
 */
export async function doctorOfMachines(
  { server, client }: { readonly server?: string | undefined; readonly client?: string | undefined },
  context: AppContext,
): Promise<DoctorRow[]> {
  const setup = await setupContextOf(context);
  const isOneOfTwo = server !== undefined && client !== undefined;
  return [
    ...(server === undefined ? [] : await rowsOfMachine(server, 'servers', isOneOfTwo, setup)),
    ...(client === undefined ? [] : await rowsOfMachine(client, 'clients', isOneOfTwo, setup)),
  ];
}

async function rowsOfMachine(
  name: string,
  of: Use,
  isOneOfTwo: boolean,
  setup: SetupContext,
): Promise<DoctorRow[]> {
  const item = `machine ${name}`;
  try {
    return await withFarHost(name, setup, async (host) => {
      const { hostName, machine, node } = host.hello;
      const { answered } = await host.ask('doctor', { of });
      const found = foreignText(`${hostName}, ${machine.cpuCount} × ${machine.cpuModel}, Node ${node}`);
      return [
        { item, state: 'ok', found, required: true },
        await linkRow(host, of),
        ...answered.rows
          .map(shown)
          .map((row) => (isOneOfTwo ? { ...row, item: `${row.item} on ${name}` } : row)),
      ];
    });
  } catch (thrown) {
    return [missing(item, thrown, `no ${of === 'servers' ? 'server' : 'client'} can start there`)];
  }
}

async function linkRow(host: FarHost, of: Use): Promise<DoctorRow> {
  const item = `link to ${host.host}`;
  try {
    const port = await choosePort(undefined);
    const figures =
      of === 'servers'
        ? await new FarLink(new FarPlace(host, port)).measure()
        : await new LinkFromClient(new ClientPlace(host, port)).measure();
    return { item, state: 'ok', found: linkWords(figures), required: true };
  } catch (thrown) {
    return missing(item, thrown, `no client reaches a server ${of === 'servers' ? 'there' : 'here'}`);
  }
}

/** @throws what is no fault of a machine */
function missing(item: string, thrown: unknown, costs: string): DoctorRow {
  if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted' || thrown.code === 'internal')
    throw thrown;
  const { message: found, next } = thrown;
  return {
    item,
    state: 'missing',
    found,
    costs,
    ...(next === undefined ? {} : { fix: next }),
    required: true,
  };
}

/** What another machine said, as it may be shown. */
function shown({ item, state, found, costs, fix, required }: Answered<'doctor'>['rows'][number]): DoctorRow {
  return {
    item: foreignText(item),
    state,
    found: foreignText(found),
    ...(costs === undefined ? {} : { costs: foreignText(costs) }),
    ...(fix === undefined ? {} : { fix: foreignText(fix) }),
    required,
  };
}
