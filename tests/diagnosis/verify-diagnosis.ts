import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { didYouMean } from '../../src/core/model/nearest-name.ts';
import { projectDir } from '../support/cli.ts';
import { cases } from './cases.ts';
import { measureCase } from './measure-case.ts';
import { isRight, tableOf, tally, VerificationState } from './state.ts';

/**
 * Injects causes and says how often `diagnose` names them: `npm run verify:diagnosis -- --cause loss-1pct --repetitions 3`.
 * One run of every case after the other, so that whenever it ends all cases have as many; runs that are there are not made
 * again, unfinished ones go on. `--minutes 30` starts no run after that time; without measuring, `--table` prints what is there.
 */
const { values } = parseArgs({
  options: {
    cause: { type: 'string', multiple: true },
    repetitions: { type: 'string', default: '10' },
    minutes: { type: 'string' },
    table: { type: 'boolean', default: false },
    out: { type: 'string', default: join(projectDir, 'results', 'verify-diagnosis') },
  },
});

/** What is wrong with the words of the command; null: nothing. */
function wrongIn(repetitions: number, minutes: number): string | null {
  const ids = cases.map(({ id }) => id);
  const unknown = values.cause?.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    return `there is no case "${unknown}": ${didYouMean(unknown, ids) ?? ids.join(', ')}`;
  if (!Number.isInteger(repetitions) || repetitions < 1)
    return `--repetitions takes a whole number from 1 on, got ${values.repetitions}`;
  return minutes > 0 ? null : `--minutes takes a number above zero, got ${values.minutes}`;
}

const repetitions = Number(values.repetitions);
const minutes = Number(values.minutes ?? Infinity);
const wrong = wrongIn(repetitions, minutes);
if (wrong !== null) {
  process.stderr.write(`${wrong}\n`);
  process.exit(2);
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const state = new VerificationState(join(values.out, 'state.json'));
const wanted = cases.filter(({ id }) => values.cause?.includes(id) ?? true);
const missing = Array.from({ length: repetitions }, (_, index) => index + 1)
  .flatMap((number) => wanted.map((one) => ({ one, number })))
  .filter(({ one, number }) => !state.has(one, number));
const endMs = performance.now() + minutes * 60_000;
let left = values.table ? 0 : missing.length;
let hasFailed = false;
for (const { one, number } of missing.slice(0, left)) {
  if (performance.now() > endMs) break;
  const { named, reason, durationMs, load } = await measureCase(
    one,
    join(values.out, one.id, String(number)),
  );
  left--;
  const took = `${Math.round(durationMs / 1000)} s, load ${load.toFixed(1)}`;
  if (reason === undefined) {
    state.add({ case: one.id, number, named: [...named], durationMs, load });
    const word = isRight(one, { named: [...named] }) ? 'right' : 'WRONG';
    say(`${one.id} ${number}: ${word}, ${named.join(', ') || 'nothing'} (${tally(one, state)}; ${took})`);
  } else {
    hasFailed = true;
    say(`${one.id} ${number}: ${reason} (${took}); the same command resumes it`);
  }
}
if (left > 0) say(`${left} runs are left: the same command goes on`);
process.stdout.write(`${tableOf(wanted, state)}\n`);
process.exitCode = hasFailed ? 1 : 0;
