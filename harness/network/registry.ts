import { loopback } from './loopback.ts';
import type { NetworkProvider } from './network.ts';

/** Every network by name; a new one is one file and one line here. */
export const networks: readonly NetworkProvider[] = [loopback];
