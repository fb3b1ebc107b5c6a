import { H2h3Error } from '../../src/core/model/errors.ts';
import { keepCpusAwake } from '../network/awake-cpus.ts';
import { requireTun, tunDevice } from '../network/choose-backend.ts';
import { installWords } from '../../src/core/model/program-words.ts';
import { compilerPackages, compilersOnPath, emulatorProgramsState } from '../network/emulator-programs.ts';
import { noNetemReason } from '../network/netem-path.ts';
import { findPrivilege, requireProgram, type Privilege } from '../network/privilege.ts';
import { uplinkLack } from '../network/uplink.ts';
import type { DoctorRow } from './doctor-row.ts';
import type { SetupContext } from './setup-context.ts';
import { hasZig, zigMegabytes } from './zig.ts';

const required = false;
const onlyLoopback = 'only the unshaped loopback can be measured';

/** What emulated paths need. Tries in namespaces that end with the try; the machine's own network is not touched. */
export async function pathRows(context: SetupContext): Promise<DoctorRow[]> {
  const privilege = await tried(() => findPrivilege(context));
  return [
    privilegeRow(privilege),
    await programRow('tc', 'iproute2', 'ethernet-1g cannot be had, nor netem', context),
    await programRow(
      'ethtool',
      'ethtool',
      'a run with --set offloads= is refused, reports do not say which offloads a path has, and the emulator stands in for netem',
      context,
    ),
    await emulatorRow(context),
    await tunRow(context),
    await netemRow(privilege, context),
    await uplinkRow(privilege, context),
    await idleCpusRow(privilege, context),
  ];
}

async function tried<T>(attempt: () => Promise<T>): Promise<T | H2h3Error> {
  try {
    return await attempt();
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown;
    throw thrown;
  }
}

function missing(item: string, error: H2h3Error, costs: string): DoctorRow {
  const found =
    typeof error.context['got'] === 'string' ? `${error.message}: ${error.context['got']}` : error.message;
  return { item, state: 'missing', found, costs, ...(error.next && { fix: error.next }), required };
}

function privilegeRow(privilege: Privilege | H2h3Error): DoctorRow {
  const item = 'network namespaces';
  if (privilege instanceof H2h3Error) return missing(item, privilege, onlyLoopback);
  return { item, state: 'ok', found: `can be made (${privilege.kind})`, required };
}

async function idleCpusRow(
  privilege: Privilege | H2h3Error,
  { environment }: SetupContext,
): Promise<DoctorRow> {
  const item = 'idle CPUs';
  const costs = 'packets are late more often, and trials are run again';
  if (privilege instanceof H2h3Error) return missing(item, privilege, costs);
  const { wakeLate, note, stop } = await keepCpusAwake(privilege, { environment });
  await stop();
  if (wakeLate) return { item, state: 'limited', found: note ?? '', costs, required };
  const found = note === null ? 'of a physical machine, which wake in time' : 'kept awake while a path is up';
  return { item, state: 'ok', found, required };
}

async function uplinkRow(privilege: Privilege | H2h3Error, context: SetupContext): Promise<DoctorRow> {
  const item = 'networks beyond this machine';
  const costs =
    'live addresses and exec reach other machines over no emulated network; what runs here is reached';
  if (privilege instanceof H2h3Error) return missing(item, privilege, costs);
  const lacking = await uplinkLack(privilege, context);
  if (lacking === null) return { item, state: 'ok', found: 'addresses can be translated', required };
  return { item, state: 'limited', found: lacking.why, costs, fix: lacking.next, required };
}

async function programRow(
  name: string,
  packageName: string,
  costs: string,
  context: SetupContext,
): Promise<DoctorRow> {
  const found = await tried(() => requireProgram(name, packageName, context));
  return found instanceof H2h3Error
    ? missing(name, found, costs)
    : { item: name, state: 'ok', found, required };
}

/** Of the programs between the namespaces. */
export async function emulatorRow(context: SetupContext): Promise<DoctorRow> {
  const item = 'path emulator';
  const state = await emulatorProgramsState(context);
  if (state !== 'absent') return { item, state: 'ok', found: state, required };
  const [first] = await compilersOnPath(context);
  const builder =
    first?.join(' ') ?? (hasZig(context) ? `Zig, which is fetched once (${zigMegabytes} MB)` : undefined);
  if (builder !== undefined)
    return { item, state: 'ok', found: `built before the first run, by ${builder}`, required };
  return {
    item,
    state: 'missing',
    found: `none comes with the package for ${context.arch}, and nothing here can build it`,
    costs: `the path emulator and the check of paths cannot be built: ${onlyLoopback}`,
    fix: installWords(compilerPackages, context.program),
    required,
  };
}

async function tunRow(context: SetupContext): Promise<DoctorRow> {
  const found = await tried(() => requireTun(context));
  return found instanceof H2h3Error
    ? missing(tunDevice, found, 'the path emulator has no devices: shaped paths need netem then')
    : { item: tunDevice, state: 'ok', found: 'can be opened', required };
}

async function netemRow(privilege: Privilege | H2h3Error, context: SetupContext): Promise<DoctorRow> {
  const item = 'netem';
  const reason =
    privilege instanceof H2h3Error ? 'no namespace to try it in' : await noNetemReason(privilege, context);
  if (reason === undefined) return { item, state: 'ok', found: 'can be added', required };
  return {
    item,
    state: 'limited',
    found: reason,
    costs: 'paths are shaped by the emulator in user space, which takes CPU time',
    fix: 'sudo modprobe sch_netem, where the kernel has it',
    required,
  };
}
