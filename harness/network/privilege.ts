import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { H2h3Error, ifAbsent } from '../../src/core/model/errors.ts';
import { installWords, type ProgramWords } from '../../src/core/model/program-words.ts';
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
    next: installWords(packageName, context.program),
  });
}

/** A setting of the kernel by which a system closes user namespaces to ordinary users. */
interface Closer {
  /** As `sysctl` calls it. */
  readonly name: string;
  readonly closed: string;
  readonly open: string;
}

/** Ubuntu's since 23.10, by AppArmor; Debian's; the kernel's own (namespaces(7)). */
const closers: readonly Closer[] = [
  { name: 'kernel.apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { name: 'kernel.unprivileged_userns_clone', closed: '0', open: '1' },
  { name: 'user.max_user_namespaces', closed: '0', open: '10000' },
];

/**
 * The one command that opens user namespaces where a setting closes them; null where none does, as in most containers.
 *
 * @param settingsDir of the kernel's settings, as files
 */
export async function openingCommand(settingsDir = '/proc/sys'): Promise<string | null> {
  const assignments: string[] = [];
  for (const { name, closed, open } of closers) {
    const file = path.join(settingsDir, ...name.split('.'));
    const value = await readFile(file, 'utf8').catch(ifAbsent('', 'EACCES'));
    if (value.trim() === closed) assignments.push(`${name}=${open}`);
  }
  return assignments.length === 0 ? null : `sudo sysctl ${assignments.join(' ')}`;
}

/** What to do where no namespace can be made. @param opening the command that opens user namespaces, if one does */
export function namespaceStep(opening: string | null, { withoutNetwork }: ProgramWords): string {
  const first =
    opening === null
      ? 'Run as root, or allow unprivileged user namespaces or sudo without a password. Start a container with --cap-add SYS_ADMIN --cap-add NET_ADMIN --device /dev/net/tun, and --security-opt apparmor=unconfined where its host has AppArmor'
      : `Open user namespaces until the next start: ${opening}`;
  return `${first}. Or ${withoutNetwork}.`;
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
      next: `Run on Linux, or ${context.program.withoutNetwork}.`,
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
    next: namespaceStep(await openingCommand(), context.program),
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
