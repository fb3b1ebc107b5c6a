import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ClientIdentity } from '../../client.ts';

/** What the sandbox asks of the machine; tests give answers of their own. */
export interface SandboxProbe {
  readonly platform: NodeJS.Platform;
  readonly userId: number;
  /** Why the namespaces of the sandbox cannot be made, found out by making them; null when they can. */
  readonly namespaceLack: () => string | null;
  /** Whether a program next to the browser can make them with the rights of root. */
  readonly hasSetuidHelper: (executablePath: string) => boolean;
}

const timeoutMs = 5_000;

/**
 * Why Chromium's sandbox cannot start, or null. Chromium refuses it to root. To others it needs user, process and
 * network namespaces, which many things forbid (a sysctl, AppArmor, a container's seccomp filter, a chroot), so they
 * are tried; or the helper that comes with packages of the system.
 */
export function sandboxBlocker(client: ClientIdentity, probe: SandboxProbe = machineProbe): string | null {
  if (probe.platform !== 'linux') return null;
  if (probe.userId === 0) return 'the user is root';
  const lack = probe.namespaceLack();
  if (lack === null || probe.hasSetuidHelper(client.executablePath)) return null;
  return `user namespaces cannot be made (${lack})`;
}

const machineProbe: SandboxProbe = {
  platform: process.platform,
  userId: process.getuid?.() ?? -1,
  namespaceLack,
  hasSetuidHelper: (executablePath) => hasSetuidHelper(executablePath) && mayGainRights(),
};

function namespaceLack(): string | null {
  const args = ['--user', '--map-root-user', '--pid', '--net', '--fork', 'true'];
  const { status, stderr, error } = spawnSync('unshare', args, { timeout: timeoutMs, encoding: 'utf8' });
  if (status === 0) return null;
  return error?.message ?? (stderr.trim().split('\n')[0] || `unshare ended with ${status ?? 'a signal'}`);
}

const setuidBit = 0o4000;

function hasSetuidHelper(executablePath: string): boolean {
  const folders = [
    path.dirname(executablePath),
    '/usr/lib/chromium',
    '/opt/google/chrome',
    '/opt/microsoft/msedge',
  ];
  return folders.some((folder) =>
    ['chrome-sandbox', 'msedge-sandbox', 'opera_sandbox'].some((name) => {
      const file = path.join(folder, name);
      if (!existsSync(file)) return false;
      const { mode, uid } = statSync(file);
      return uid === 0 && (mode & setuidBit) !== 0;
    }),
  );
}

/** CAP_SYS_ADMIN (capabilities(7)), which the helper needs: containers drop it from what any process of theirs can ever have. */
const systemAdministratorBit = 1n << 21n;

/** Whether a setuid program gets its rights here. */
function mayGainRights(): boolean {
  const status = readFileSync('/proc/self/status', 'latin1');
  const bounding = /^CapBnd:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0';
  const isBarred = /^NoNewPrivs:\s*1/m.test(status);
  return !isBarred && (BigInt(`0x${bounding}`) & systemAdministratorBit) !== 0n;
}
