/** How `npm run verify:exec` reaches servers across a path: of this machine by `--local`, at the far end over either version of IP. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkSpec } from '../../src/core/model/network-spec.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import type { OrdinaryUser } from '../support/ordinary-user.ts';
import type { EchoPorts, Scope } from './echo-servers.ts';

/** How a check is written down. */
export type Note = (what: string, found: string, isRight: boolean) => void;

/** Whom a command is run as, where, and what comes after it. */
export interface VerifyPlace {
  readonly user: OrdinaryUser | null;
  readonly folder: string;
  readonly scope: Scope;
  readonly note: Note;
}

/** The path, and how far from it what is measured may be. */
export interface Tolerated {
  readonly spec: NetworkSpec;
  readonly rttToleranceMs: number;
  /** A share. */
  readonly rateTolerance: number;
}

/** The same servers, without a path and across it. */
export interface Reach extends EchoPorts {
  readonly title: string;
  /** Of Caddy. */
  readonly webPort: number;
  readonly family: 4 | 6;
  /** Words of `exec` that lead there, besides the network's. */
  readonly without: readonly string[];
  readonly across: readonly string[];
  /** Where they are, as in an address; `$H2H3_FAR` stands for the variable. */
  readonly hostWithout: string;
  readonly hostAcross: string;
}

/** Words for what the far end is reached by. */
export const farVariable = '$H2H3_FAR';

/** Servers of this machine's loopback, over IPv4. */
export function localReach(webPort: number, ports: EchoPorts): Reach {
  const local = [webPort, ports.udpPort, ports.socketPort].flatMap((port) => ['--local', String(port)]);
  return {
    title: 'IPv4, --local',
    webPort,
    ...ports,
    family: 4,
    without: local,
    across: local,
    hostWithout: '127.0.0.1',
    hostAcross: '127.0.0.1',
  };
}

/** Servers that are started at the far end. @param documentOf the configuration of Caddy at these addresses */
export async function farReach(
  family: 4 | 6,
  caddy: string,
  folder: string,
  documentOf: (listen: readonly string[]) => object,
): Promise<Reach> {
  const webPort = await chooseAnyPort();
  const udpPort = await chooseAnyPort();
  const socketPort = await chooseAnyPort();
  const any = family === 6 ? '[::]' : '0.0.0.0';
  const configuration = join(folder, `caddy-${family}.json`);
  writeFileSync(configuration, JSON.stringify(documentOf([`${any}:${webPort}`])));
  const program = join(import.meta.dirname, 'echo-servers.ts');
  const host = family === 6 ? '::' : '0.0.0.0';
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', program, host];
  const far = ['--far', [...words, udpPort, socketPort, caddy, configuration].join(' ')];
  const inAddress = (address: string): string => (family === 6 ? `[${address}]` : address);
  return {
    title: `IPv${family}, --far`,
    webPort,
    udpPort,
    socketPort,
    family,
    without: far,
    across: [...(family === 6 ? ['--set', 'family=6'] : []), ...far],
    hostWithout: family === 6 ? '[::1]' : '127.0.0.1',
    hostAcross: inAddress(farVariable),
  };
}
