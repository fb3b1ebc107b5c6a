import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { tailOf } from '../../src/core/system/run-program.ts';

/**
 * The table of local addresses, which comes first in a new namespace, makes room for a rule before it. The rule drops what
 * the server answers over UDP without a word to anybody. It goes when the standard input ends, by either end. One that is to
 * come later is tried at once, and made again so long after a line on the standard input.
 */
function script(port: number, afterMs: number): string {
  const rule = `pref 0 ipproto udp sport ${port} blackhole`;
  const add = [`ip rule add ${rule} || exit 1`, 'ip rule show pref 0'];
  const later = [`ip rule del ${rule}`, 'read -r begin || exit 0', `sleep ${afterMs / 1000}`, ...add];
  return [
    'if ip rule show pref 0 | grep -q local; then ip rule add pref 1 lookup local && ip rule del pref 0; fi',
    ...add,
    ...(afterMs === 0 ? [] : later),
    'read -r end',
    `ip rule del ${rule}`,
  ].join('\n');
}

/** UDP that is blocked, or will be. */
export interface UdpBlock {
  /** The load begins: what is to come later is counted from here. */
  readonly begin: () => void;
  /** Lets it through again. Resolves with false where it was never blocked, because that was to come later. */
  readonly end: () => Promise<boolean>;
}

/**
 * Lets nothing come over UDP from this port of a server, in the network namespace of this process, as a firewall does that
 * lets TCP alone through. To be used in a namespace of the run's own, never in the machine's.
 *
 * @param afterMs from so long after the load began
 * @throws H2h3Error `unsupported` where this user or this kernel cannot
 */
export async function blockUdp(port: number, afterMs = 0): Promise<UdpBlock> {
  const child = spawn('/bin/sh', ['-c', script(port, afterMs)], { stdio: 'pipe' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Writing to one that is gone is told by its end.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close');
  const shown = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const isShown = async (): Promise<{ readonly line: string; readonly isThere: boolean }> => {
    const { value: line = '' } = (await shown.next()) as { value?: string };
    return { line, isThere: line.includes('blackhole') };
  };
  const first = await isShown();
  if (!first.isThere) {
    child.kill();
    await ended;
    throw new H2h3Error('unsupported', 'UDP cannot be blocked here', {
      context: {
        expected: 'a rule of the kernel’s routing',
        got: stderr === '' ? first.line : tailOf(stderr),
      },
      next: 'Run as root, on a kernel with policy routing (CONFIG_IP_MULTIPLE_TABLES).',
    });
  }
  let isBlocked = afterMs === 0;
  if (!isBlocked) void isShown().then(({ isThere }) => (isBlocked = isThere));
  return {
    // Any line would end a block that holds already.
    begin: () => (afterMs === 0 ? undefined : void child.stdin.write('begin\n')),
    end: async () => {
      const wasBlocked = isBlocked;
      child.stdin.end();
      await ended;
      return wasBlocked;
    },
  };
}
