import type { ClientIdentity } from '../../client.ts';
import type { VersionedBrowser, VersionedName } from '../../client-name.ts';
import type { SetupContext } from '../../../tools/setup-context.ts';

/** What was put into a folder: enough to start it. Paths are below that folder. */
export interface FilledBrowser {
  readonly executable: string;
  readonly family: 'chromium' | 'firefox';
  readonly name: string;
  readonly build: 'full' | 'headless-shell';
  /** Where it came from, such as a package and its version. */
  readonly origin: string;
  /** What the origin says its archive must be (`sha512-…`); null where it says nothing. */
  readonly integrity: string | null;
}

/** Fetches versions into a folder. */
export interface BrowserDownload {
  /** Why nothing can be fetched on this machine; null when it can. */
  unsupported(context: SetupContext): string | null;
  /**
   * The exact release that is meant.
   * @throws H2h3Error `usage` for one that does not exist, `unsupported` when it cannot be asked.
   */
  resolve(name: VersionedName, context: SetupContext): Promise<string>;
  /** @throws H2h3Error `unsupported` when it cannot be had, `bad-input` when what came is not what it must be. */
  fill(
    browser: VersionedBrowser,
    release: string,
    directory: string,
    context: SetupContext,
  ): Promise<FilledBrowser>;
  /** Environment that the browser in `directory` needs besides the process's own. */
  environment?(
    directory: string,
    executable: string,
    context: SetupContext,
  ): Promise<Readonly<Record<string, string>>>;
  /** Every release, newest first. @throws H2h3Error `unsupported` when it cannot be asked. */
  available?(context: SetupContext): Promise<readonly string[]>;
}

/** A source of browser versions. A new one is a file next to this and a line in `registry.ts`. */
export interface BrowserProvider {
  readonly id: string;
  readonly title: string;
  readonly browsers: readonly VersionedBrowser[];
  /** Words that can stand for a version. */
  readonly channels: readonly string[];
  /** The version where the machine already has it; fetches nothing. */
  find?(name: VersionedName, context: SetupContext): Promise<ClientIdentity | undefined>;
  /** What a user does to get it where `find` finds nothing and nothing can be fetched. */
  installCommand?(name: VersionedName): string;
  readonly download?: BrowserDownload;
}
