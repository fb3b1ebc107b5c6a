import { existsSync } from 'node:fs';
import { importFault } from '../../../harness/clients/imports-of-script.ts';
import { H2h3Error } from '../../core/model/errors.ts';
import { check } from './check.ts';

/** @throws H2h3Error `bad-input` for a script that would fail as soon as it is loaded */
export function requireLoadable(scriptFile: string): void {
  const fault = importFault(scriptFile);
  if (fault !== null) throw new H2h3Error('bad-input', fault.reason, { next: fault.next });
}

/** Scripts of the user's that would fail as soon as they are loaded: said before anything is prepared for them. */
export const scripts = check('scripts', [], ({ script, live }) =>
  [script?.file, live?.login].flatMap((file) => {
    // One that is not there is refused where it is read.
    const fault = file === undefined || !existsSync(file) ? null : importFault(file);
    return fault === null ? [] : [{ code: 'bad-input' as const, ...fault }];
  }),
);
