import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { didYouMean } from '../../src/model/nearest-name.ts';
import { projectDir } from '../support/cli.ts';
import { cases } from './cases.ts';
import { measureCase, tableOf } from './measure-case.ts';

/**
 * Injects causes and says how often `diagnose` names them: `npm run verify:diagnosis -- --cause loss-1pct --repetitions 3`.
 * Runs that are there are not made again, unfinished ones go on; without measuring, `--table` prints what is there.
 */
const { values } = parseArgs({
  options: {
    cause: { type: 'string', multiple: true },
    repetitions: { type: 'string', default: '10' },
    table: { type: 'boolean', default: false },
    out: { type: 'string', default: join(projectDir, 'results', 'verify-diagnosis') },
  },
});

const ids = cases.map(({ id }) => id);
const unknown = values.cause?.find((id) => !ids.includes(id));
const repetitions = Number(values.repetitions);
if (unknown !== undefined || !Number.isInteger(repetitions) || repetitions < 1) {
  process.stderr.write(
    unknown === undefined
      ? `--repetitions takes a whole number from 1 on, got ${values.repetitions}\n`
      : `there is no case "${unknown}": ${didYouMean(unknown, ids) ?? ids.join(', ')}\n`,
  );
  process.exit(2);
}

const wanted = cases.filter(({ id }) => values.cause?.includes(id) ?? true);
if (!values.table)
  for (const one of wanted)
    for (let number = 1; number <= repetitions; number++) {
      const { named, reason } = await measureCase(one, join(values.out, one.id, String(number)));
      process.stderr.write(
        `${one.id} ${number} of ${repetitions}: ${reason ?? (named.join(', ') || 'nothing')}\n`,
      );
    }
process.stdout.write(`${tableOf(wanted, values.out)}\n`);
