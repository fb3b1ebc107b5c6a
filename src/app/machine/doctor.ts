import { linkToFar, linkToHere } from '../../../harness/hosts/client-link.ts';
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
 * The same of the machines on which servers and clients are to start, and of the link to it, or between both. h2h3 is sent there
 * where it is not there yet.
 */
export async function doctorOfMachines(
  { server, client }: { readonly server?: string | undefined; readonly client?: string | undefined },
  context: AppContext,
): Promise<DoctorRow[]> {
  const setup = await setupContextOf(context);
  if (server === undefined) return client === undefined ? [] : rowsOfMachine(client, 'clients', setup);
  if (client === undefined) return rowsOfMachine(server, 'servers', setup);
  return rowsOfMachine(server, 'servers', setup, (serving) =>
    rowsOfMachine(client, 'clients', setup, async (loading) => {
      if (serving === undefined || loading === undefined) return [];
      const link = async (): Promise<Measurable> =>
        linkToFar(loading, new FarLink(new FarPlace(serving, await choosePort(undefined))));
      return [await linkRow(`link from ${client} to ${server}`, link, 'no client reaches a server')];
    }),
  );
}

type Measurable = Pick<FarLink, 'measure'>;

/** @param inside what else is looked at while it is connected, if it can be; its own rows then have its name */
async function rowsOfMachine(
  name: string,
  of: Use,
  setup: SetupContext,
  inside?: (host: FarHost | undefined) => Promise<DoctorRow[]>,
): Promise<DoctorRow[]> {
  const item = `machine ${name}`;
  try {
    return await withFarHost(name, setup, async (host) => {
      const { hostName, machine, node } = host.hello;
      const { answered } = await host.ask('doctor', { of });
      const found = foreignText(`${hostName}, ${machine.cpuCount} × ${machine.cpuModel}, Node ${node}`);
      const rows = answered.rows.map(shown);
      return [
        { item, state: 'ok', found, required: true },
        ...(inside === undefined
          ? [await ownLinkRow(host, of), ...rows]
          : [...(await inside(host)), ...rows.map((row) => ({ ...row, item: `${row.item} on ${name}` }))]),
      ];
    });
  } catch (thrown) {
    const lacking = missing(item, thrown, `no ${of === 'servers' ? 'server' : 'client'} can start there`);
    return [lacking, ...((await inside?.(undefined)) ?? [])];
  }
}

function ownLinkRow(host: FarHost, of: Use): Promise<DoctorRow> {
  const link = async (): Promise<Measurable> => {
    const port = await choosePort(undefined);
    return of === 'servers' ? new FarLink(new FarPlace(host, port)) : linkToHere(new ClientPlace(host, port));
  };
  const costs = `no client reaches a server ${of === 'servers' ? 'there' : 'here'}`;
  return linkRow(`link to ${host.host}`, link, costs);
}

async function linkRow(item: string, link: () => Promise<Measurable>, costs: string): Promise<DoctorRow> {
  try {
    const figures = await (await link()).measure();
    return { item, state: 'ok', found: linkWords(figures), required: true };
  } catch (thrown) {
    return missing(item, thrown, costs);
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
