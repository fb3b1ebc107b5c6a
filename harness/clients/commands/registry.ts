import { aioquic } from './aioquic.ts';
import type { CommandClient } from './command-client.ts';
import { curl } from './curl.ts';
import { h2load } from './h2load.ts';
import { quicGo } from './quic-go.ts';
import { quiche } from './quiche.ts';
import { wget2 } from './wget2.ts';

/** Every command-line client that can be named. */
export const commandClients: readonly CommandClient[] = [curl, quicGo, quiche, aioquic, wget2, h2load];

/** The command-line client of a plan's name (`curl`, `curl@8`); undefined for a browser. */
export function commandClientNamed(name: string): CommandClient | undefined {
  const [id] = name.split('@');
  return commandClients.find((client) => client.id === id);
}
