import { spawnSync } from 'node:child_process';

/** What an administrator's process has and an ordinary user's has not: the right to a priority above the usual. */
const words = ['setpriv', '--bounding-set', '-sys_nice', '--inh-caps', '-sys_nice', '--'] as const;

let known: readonly string[] | undefined;

/**
 * Words before a command line that take away the right to raise priorities (CAP_SYS_NICE), where there is one.
 * Chromium as root gives the threads that paint a niceness of −8 and leaves the one that reads from the network at 0;
 * on few CPUs that then starves, and datagrams are lost in its socket, which no user's browser would lose. Empty for
 * everyone but root, and where setpriv (util-linux) cannot do it.
 */
export function ordinaryPriorityPrefix(): readonly string[] {
  known ??= process.getuid?.() === 0 && works() ? words : [];
  return known;
}

function works(): boolean {
  const [program, ...args] = words;
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}
