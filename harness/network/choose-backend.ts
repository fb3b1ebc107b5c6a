import { access, constants } from 'node:fs/promises';
import { H2h3Error, hasErrno, messageOf } from '../../src/core/model/errors.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { noNetemReason } from './netem-path.ts';
import { requireProgram, type Privilege } from './privilege.ts';

export type ImpairedBackend = 'netem' | 'emulator';

/** Names the backend that a user wants instead of the one that h2h3 would choose. */
export const backendVariable = 'H2H3_PATH_BACKEND';

/**
 * netem where the kernel really takes it, else the emulator. The same everywhere on a machine, so that no comparison
 * holds two.
 *
 * @throws H2h3Error `usage` for an unknown name in the environment, `unsupported` where the wanted one cannot be had.
 */
export async function chooseBackend(privilege: Privilege, context: SetupContext): Promise<ImpairedBackend> {
  const wanted = context.environment[backendVariable] ?? '';
  if (wanted === 'emulator') {
    await requireTun(context);
    return 'emulator';
  }
  if (wanted !== '' && wanted !== 'netem')
    throw new H2h3Error('usage', `${backendVariable} names no backend: "${wanted}"`, {
      context: { expected: 'netem or emulator', got: wanted },
    });
  const reason = await noNetemReason(privilege, context);
  if (reason === undefined) {
    await requireProgram('tc', 'iproute2', context);
    await requireProgram('ethtool', 'ethtool', context);
    return 'netem';
  }
  if (wanted === 'netem')
    throw new H2h3Error('unsupported', `the kernel takes no netem: ${reason}`, {
      next: `Load it (sudo modprobe sch_netem), or leave ${backendVariable} out.`,
    });
  await requireTun(context);
  return 'emulator';
}

export const tunDevice = '/dev/net/tun';

/** @throws H2h3Error `unsupported` where the emulator cannot have its devices. */
export async function requireTun(
  { program }: Pick<SetupContext, 'program'>,
  device = tunDevice,
): Promise<void> {
  try {
    await access(device, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new H2h3Error('unsupported', `the path emulator cannot open ${device}`, {
      context: { expected: 'a device that can be read and written', got: messageOf(cause) },
      next: hasErrno(cause, 'EACCES')
        ? `Let every user open it, as is usual: sudo chmod 0666 ${device}, or ${program.withoutNetwork}.`
        : `Load it: sudo modprobe tun (in a container: --device ${tunDevice}), or ${program.withoutNetwork}.`,
      cause,
    });
  }
}
