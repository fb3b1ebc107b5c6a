import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { foundOr } from '../../src/core/model/errors.ts';
import { findOnPath } from '../../src/core/system/find-executable.ts';
import { runProgram, tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import type { ServerProgram, ServerSoftware } from './server-software.ts';
import type { ServerStartOptions } from './server.ts';

/** The number under which a server finds the socket that was opened for it. */
export const inheritedSocket = 3;
const patienceMs = 20_000;

/** How the wanted algorithm comes to the server's TCP connections. */
export interface TcpCongestion {
  readonly wanted: string | null;
  /** Words that open the listening socket and then become the server; empty: the server opens it. */
  readonly wrapper: readonly string[];
  /** Whether the server is to set it by its own configuration. */
  readonly byServer: boolean;
  /** Why the wanted algorithm could not be set. */
  readonly reason?: string;
}

/** What the kernel's TCP can run, loaded modules only (ip-sysctl, `tcp_available_congestion_control`); empty where nothing tells. */
export function tcpCongestionControls(): string[] {
  const text = foundOr(() => readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8'), '');
  return text.split(/\s+/).filter((name) => name !== '');
}

/** Finds out whether the listening socket can be made with the wanted algorithm, by trying it once. */
export async function chooseTcpCongestion(
  wanted: string | null,
  software: ServerSoftware,
  program: ServerProgram,
  options: ServerStartOptions,
  port: number,
  context: SetupContext,
): Promise<TcpCongestion> {
  const not = (reason: string): TcpCongestion => ({ wanted, wrapper: [], byServer: false, reason });
  if (wanted === null || software.scope !== undefined) return { wanted: null, wrapper: [], byServer: false };
  if (context.platform !== 'linux') return not('only Linux lets a socket choose');
  const { tcpCongestion } = software;
  const unsupportedReason = tcpCongestion === 'itself' ? null : tcpCongestion.notInheritedReason(program);
  if (unsupportedReason !== null) return not(unsupportedReason);
  const perl = await findOnPath('perl', context);
  if (perl === undefined) return not('perl, which opens the socket, is not on PATH');
  const script = fileURLToPath(new URL('./listen-with-congestion.pl', import.meta.url));
  const pacing = options.settings?.pacing ?? 'off';
  const wrapper = [perl, script, wanted, pacing, options.address, String(port)];
  const [command = '', ...rest] = [...options.launchPrefix, ...wrapper, process.execPath, '--version'];
  const trial = await runProgram(command, rest, { timeoutMs: patienceMs, environment: options.environment });
  if (trial.exitCode !== 0) return not(tailOf(trial.stderr, 1));
  return tcpCongestion === 'itself'
    ? { wanted, wrapper: [], byServer: true }
    : { wanted, wrapper, byServer: false };
}

/**
 * What to tell of the algorithm: `seen` is what the kernel says of a connection that the server had accepted, null
 * where nothing tells.
 */
export function tcpNote(
  { wanted, wrapper, byServer, reason }: TcpCongestion,
  seen: string | null,
): string | undefined {
  if (wanted === null) return undefined;
  if (wrapper.length === 0 && !byServer) return `the default of this machine, not ${wanted}: ${reason}`;
  const where = byServer ? "set by the server's own configuration" : 'set on the listening socket alone';
  const proof =
    seen === null
      ? 'not read back: ss (iproute2) is not there'
      : `read back from a connection that the server had accepted: ${seen}`;
  return `${where}; the machine is as it was; ${proof}`;
}
