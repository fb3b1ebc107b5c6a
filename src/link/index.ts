/**
 * A network for the tests of any program: `import { startLink } from 'h2h3-link'`. Another process keeps it up, and takes it
 * down with this one.
 */
import type { LinkChange, LinkConnection, OwnNetwork } from '../app/exec/link-types.ts';
import { linkAround } from '../app/playwright/joined-link.ts';
import { openLink } from '../app/playwright/path-link.ts';

export type { LinkChange, LinkConnection };

/** A network by its name, or by figures: `{ down: '10mbit', rtt: '80ms', loss: '1%' }`. */
export interface LinkOptions extends OwnNetwork {
  /** By name, as `npx h2h3-link networks` lists them. Default: one by its figures. */
  readonly network?: string;
  /** Factors of the link, such as `{ mtu: '1400' }`, as `npx h2h3-link factors` lists them. */
  readonly set?: Readonly<Record<string, string>>;
  /** Ports of this machine's localhost that are reached across the network. A server listens there already. Default: none. */
  readonly local?: readonly number[];
  /** Measures the network first, about a second. Default: no. */
  readonly check?: boolean;
}

/** What crossed the network. */
export interface LinkReport {
  /** Since it was started, by name. `receivedBytes` is what came to the programs behind it. */
  readonly counters: Readonly<Record<string, number>>;
  /** Connections since `begin` was last called; null where the link does not count them. */
  readonly flows: readonly LinkConnection[] | null;
}

/** A network that is up. */
export interface Link {
  /** What its check found, or that there was none. */
  readonly lines: readonly string[];
  /** A program that starts the given one behind the network, with the same words: for `spawn`, `executablePath`, `binary`. */
  wrap(program: string): Promise<string>;
  /** Begins what varies with time, and the count of connections. @param seed where a trace begins. Default: 1 */
  begin(seed?: number): Promise<void>;
  /** Changes it from now on: `'outage'`, figures, or `{}` for its own figures again. Packets on their way keep their time. */
  set(change: LinkChange | 'outage'): Promise<void>;
  report(): Promise<LinkReport>;
  /** Ends it with all that was started behind it. */
  stop(): Promise<void>;
}

/**
 * Starts a network; several may be up at once.
 *
 * @throws Error with what is missing and the next step, where there can be no such network, or nothing listens at a port of `local`
 */
export async function startLink(options: LinkOptions): Promise<Link> {
  const { network = null, set = {}, local = [], check = false, ...own } = options;
  const link = await openLink({ network, own, set, localPorts: local, listenersRequired: true, check });
  return {
    lines: link.opened.lines,
    wrap: async (program) => (await link.wrap(program)).file,
    begin: (seed = 1) => link.begin(seed),
    set: (change) => link.change(change),
    report: async () => {
      const { counters, flows } = await link.count();
      return { counters, flows };
    },
    stop: () => link.close(),
  };
}

/** The network that this program is behind, by `npx h2h3-link NETWORK -- COMMAND` around it. */
export interface JoinedLink {
  /** By name; `own` where it has figures alone, `none` without one. */
  readonly network: string;
  /** Changes it until the command ends, as `Link` does. */
  set(change: LinkChange | 'outage'): Promise<void>;
  /** What crossed it since the command began. */
  report(): Promise<LinkReport>;
}

/**
 * For tests whose runner is behind the network as a whole: WebdriverIO, Vitest, Cypress. Any process of the command may call it.
 *
 * @throws Error where this program is behind no network
 */
export function joinLink(): JoinedLink {
  const around = linkAround(process.env);
  return {
    network: around.network,
    set: (change) => around.change(change),
    report: async () => {
      const { counters, flows } = await around.count();
      return { counters, flows };
    },
  };
}
