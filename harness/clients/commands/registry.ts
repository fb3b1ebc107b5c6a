import type { CommandClient } from './command-client.ts';
import { curl } from './curl.ts';

/** Every command-line client that can be named. */
export const commandClients: readonly CommandClient[] = [curl];
