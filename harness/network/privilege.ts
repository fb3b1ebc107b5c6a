import { H2h3Error } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import type { SetupContext } from '../tools/setup-context.ts';

/** How namespaces can be made here. */
export type PrivilegeKind = 'root' | 'user-namespace' | 'sudo';

export interface Privilege {
  readonly kind: PrivilegeKind;
  /** Words before a command of the administrator's; empty when we are that. */
  readonly adminPrefix: readonly string[];
}

const timeoutMs = 10_000;

/** What makes namespaces and devices, and the Debian package of each. */
export const pathPrograms: Readonly<Record<string, string>> = {
  unshare: 'util-linux',
  nsenter: 'util-linux',
  mount: 'mount',
  ip: 'iproute2',
};

/** @throws H2h3Error `unsupported` naming the package of a program that is not there. */
export async function requireProgram(
  name: string,
  packageName: string,
  context: SetupContext,
): Promise<string> {
  // iproute2 lies in sbin, which is not on every user's PATH.
  const searchPath = `${context.environment['PATH'] ?? ''}:/usr/sbin:/sbin`;
  const found = await findOnPath(name, {
    platform: context.platform,
    environment: { ...context.environment, PATH: searchPath },
  });
  if (found !== undefined) return found;
  throw new H2h3Error('unsupported', `there is no program ${name}, which the emulated path needs`, {
    context: { expected: `${name} (package ${packageName})`, got: 'not on PATH' },
    next: `Install it: sudo apt-get install ${packageName}, or npx h2h3 setup --system.`,
  });
}

/**
 * Root, an unprivileged user namespace, or sudo without a password: the first that works, tried by making a
 * namespace that ends with the try.
 *
 * @throws H2h3Error `unsupported` when none does, with every reason.
 */
export async function findPrivilege(context: SetupContext): Promise<Privilege> {
  if (context.platform !== 'linux') {
    throw new H2h3Error('unsupported', `network namespaces are Linux's; this is ${context.platform}`, {
      next: 'Use --network loopback here, or run on Linux.',
    });
  }
  for (const [program, packageName] of Object.entries(pathPrograms))
    await requireProgram(program, packageName, context);
  const candidates: readonly (Privilege & { readonly tryIt: readonly string[] })[] = [
    { kind: 'root', adminPrefix: [], tryIt: ['unshare', '--net', '--mount', 'true'] },
    {
      kind: 'user-namespace',
      adminPrefix: [],
      tryIt: ['unshare', '--user', '--map-root-user', '--net', '--mount', 'true'],
    },
    {
      kind: 'sudo',
      adminPrefix: ['sudo', '-n', '-E'],
      tryIt: ['sudo', '-n', '-E', 'unshare', '--net', '--mount', 'true'],
    },
  ];
  const reasons: string[] = [];
  for (const { tryIt, ...privilege } of candidates) {
    const reason = await failureReason(tryIt, context);
    if (reason === undefined) return privilege;
    reasons.push(`${privilege.kind}: ${reason}`);
  }
  throw new H2h3Error('unsupported', 'no permission to make network namespaces here', {
    context: { got: reasons.join('; ') },
    next: 'Run as root, allow unprivileged user namespaces or sudo without a password, or use --network loopback.',
  });
}

/** Why a command fails that is tried and leaves nothing; undefined where it does not. */
export async function failureReason(
  command: readonly string[],
  context: SetupContext,
): Promise<string | undefined> {
  const [program = '', ...args] = command;
  try {
    const result = await context.run(program, args, { timeoutMs });
    return result.exitCode === 0
      ? undefined
      : result.stderr.trim().split('\n')[0] || `exit ${result.exitCode}`;
  } catch (thrown) {
    if (thrown instanceof H2h3Error) return thrown.message;
    throw thrown;
  }
}
