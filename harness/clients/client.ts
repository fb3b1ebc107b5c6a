import type { ClientDescription } from '../../src/core/model/environment.ts';

/** A browser that can be started; `version` is empty until it was asked (`browser.version()` of a first launch). */
export interface ClientIdentity extends ClientDescription {
  /** Environment the browser needs besides the process's own: LD_LIBRARY_PATH, FONTCONFIG_PATH of an embedded build. */
  readonly environment: Readonly<Record<string, string>>;
}
