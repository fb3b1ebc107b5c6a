import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { H2h3Error } from '../../src/model/errors.ts';
import { tailOf } from '../../src/system/run-program.ts';

/**
 * The table of local addresses, which comes first in a new namespace, makes room for a rule before it. The rule drops what
 * the server answers over UDP without a word to anybody. It goes when the standard input ends, by either end.
 */
function script(port: number): string {
  const rule = `pref 0 ipproto udp sport ${port} blackhole`;
  return [
    'if ip rule show pref 0 | grep -q local; then ip rule add pref 1 lookup local && ip rule del pref 0; fi',
    `ip rule add ${rule} || exit 1`,
    'ip rule show pref 0',
    'read -r end',
    `ip rule del ${rule}`,
  ].join('\n');
}

/**
 * Lets nothing come over UDP from this port of a server, in the network namespace of this process, as a firewall does that
 * lets TCP alone through. To be used in a namespace of the run's own, never in the machine's.
 *
 * @returns what lets it through again
 * @throws H2h3Error `unsupported` where this user or this kernel cannot
 */
export async function blockUdp(port: number): Promise<() => Promise<void>> {
  const child = spawn('/bin/sh', ['-c', script(port)], { stdio: 'pipe' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Writing to one that is gone is told by its end.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close');
  const shown = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line = '' } = (await shown.next()) as { value?: string };
  if (!line.includes('blackhole')) {
    child.kill();
    await ended;
    throw new H2h3Error('unsupported', 'UDP cannot be blocked here', {
      context: { expected: 'a rule of the kernel’s routing', got: stderr === '' ? line : tailOf(stderr) },
      next: 'Run as root, on a kernel with policy routing (CONFIG_IP_MULTIPLE_TABLES).',
    });
  }
  return async () => {
    child.stdin.end();
    await ended;
  };
}
