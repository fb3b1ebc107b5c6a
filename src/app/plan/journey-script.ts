import { createHash } from 'node:crypto';
import { H2h3Error } from '../../core/model/errors.ts';
import type { Plan } from '../../core/model/plan.ts';
import { readInput } from '../../core/system/read-input.ts';

type PlannedScript = NonNullable<Plan['script']>;

/** @throws H2h3Error `usage` or `bad-input` where there is no such file */
export function readScript(file: string): PlannedScript {
  const content = readInput(file, { what: 'a script of a journey' });
  return { file, sha256: createHash('sha256').update(content).digest('hex') };
}

/** A run is resumed by the script that it began with. @throws H2h3Error `bad-input` for one that has changed since */
export function scriptAsPlanned(planned: PlannedScript): PlannedScript {
  if (readScript(planned.file).sha256 === planned.sha256) return planned;
  throw new H2h3Error('bad-input', `the script ${planned.file} has changed since the run began`, {
    next: 'Begin a new run: trials of two scripts cannot be compared.',
  });
}
