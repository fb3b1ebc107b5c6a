import type { SetupContext } from '../setup-context.ts';

/** One version that a registry offers. */
export interface OfferedVersion {
  /** As the program counts, such as `1.30.6`. */
  readonly version: string;
  /** As the registry counts, such as `1.30.6-2`. */
  readonly release: string;
  /** Where it comes from, for people and records, such as `Debian sid`. */
  readonly origin: string;
  /** What the registry says its archive must be (`sha256:` with hex digits); null where it says so only with the archive. */
  readonly integrity: string | null;
}

/** A registry that has versions of a program. */
export interface VersionSource {
  /** For people, such as `Debian trixie, forky, sid`. */
  readonly title: string;
  /** Why nothing can be had from it on this machine; undefined where it can. */
  readonly unsupported: (context: SetupContext) => Promise<string | undefined>;
  /** Every version that it offers. @throws H2h3Error `unsupported` when it cannot be asked */
  readonly available: (context: SetupContext) => Promise<readonly OfferedVersion[]>;
  /**
   * Fetches one into an empty folder and checks it.
   *
   * @returns what its archive was checked against: the offer's own, or a Go module's `h1:`
   * @throws H2h3Error `unsupported` when it cannot be had, `bad-input` when it is not what the registry says
   */
  readonly fill: (offered: OfferedVersion, directory: string, context: SetupContext) => Promise<string>;
}

/** A program of which versions can be named as `id@version`. */
export interface VersionedProgram {
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'player';
  /** Asked in this order; of equal versions the first one's counts. */
  readonly sources: readonly VersionSource[];
  /** File of the program below a version's folder. */
  readonly file: string;
}
