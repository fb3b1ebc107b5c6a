/**
 * Sees that the preset `video` finds late chunks within the time that it promises, and nothing in an arm against itself:
 *
 *     npm run verify:video [-- --only planted,itself] [--runs 10] [--folder DIR]
 *
 * planted: a program behind the server holds each fifth chunk back by 1.5 s in one arm; each run must call it worse within 15
 * minutes. itself: HTTP/2 against HTTP/2; none may call it better or worse, nor stalls the same unless what was watched bounds them. Each run has a
 * seed of its own, and so plays other places of the trace. Runs that lie whole in the folder are judged and not made again.
 * It wants network namespaces and a quiet machine, and takes about 13 minutes a run.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { falseAlarmsOf } from '../../src/analyse/summary/false-alarms.ts';
import type { Summary } from '../../src/core/model/summary.ts';
import { readPlan, readRecords, readSummary, startCli } from '../support/cli.ts';
import { faultsOfItself, faultsOfPlanted, figuresOf, promisedMs } from './judge-video.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'planted,itself' },
    runs: { type: 'string', default: '10' },
    folder: { type: 'string', default: join('results', 'verify-video') },
  },
});
const runs = Number(values.runs);
assert.ok(Number.isInteger(runs) && runs > 0, `--runs ${values.runs}: a whole number from 1 on`);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const parts = {
  planted: { words: ['--inject', 'h3:chunkdelay=1500ms/5'], faultsOf: faultsOfPlanted },
  itself: { words: ['--arms', 'h2,h2'], faultsOf: faultsOfItself },
} as const;
type Part = keyof typeof parts;
const isPart = (name: string): name is Part => Object.hasOwn(parts, name);
const wanted = values.only.split(',').map((name) => (isPart(name) ? name : assert.fail(`no part ${name}`)));

/** A recorded block decides nothing, and would take two of the promised minutes. */
const usual = ['--recorded', '0', '--budget', `${promisedMs / 60_000}m`];
/** With the film's first encode, its checks and its warm-ups. */
const hungMs = 4 * promisedMs;

const isWhole = (out: string): boolean =>
  existsSync(join(out, 'summary.json')) && readRecords(out).length === readPlan(out).trials.length;

async function measured(part: Part, seed: number): Promise<Summary> {
  const out = join(values.folder, `${part}-${seed}`);
  if (!isWhole(out)) {
    const words = existsSync(join(out, 'plan.json'))
      ? ['--resume', out]
      : ['video', ...parts[part].words, ...usual, '--seed', `${seed}`, '--out', out];
    const { child, result } = startCli(['run', ...words], {}, { hungMs });
    child.stderr?.pipe(process.stderr);
    const { code } = await result;
    assert.equal(code, 0, out);
  }
  return readSummary(out);
}

/** How many of the runs are as they should be. */
async function verify(part: Part): Promise<number> {
  const summaries: Summary[] = [];
  let good = 0;
  for (let seed = 1; seed <= runs; seed += 1) {
    const summary = await measured(part, seed);
    summaries.push(summary);
    const faults = parts[part].faultsOf(summary);
    const found = summary.comparisons.filter(({ primary }) => primary).map(figuresOf);
    if (faults.length === 0) good += 1;
    say(
      `${part} ${seed}: ${found.join('; ')}; ${summary.firstScreen.headline}${faults.map((fault) => `\n  fault: ${fault}`).join('')}`,
    );
  }
  say(`${part}: ${good} of ${runs} as they should be`);
  if (part === 'itself') {
    const alarms = falseAlarmsOf(summaries.map(({ comparisons }) => comparisons));
    say(`false alarms of all metrics: ${JSON.stringify(alarms)}`);
  }
  return good;
}

const counts: number[] = [];
for (const part of wanted) counts.push(await verify(part));
assert.deepEqual(
  counts,
  counts.map(() => runs),
  'not every run is as it should be',
);
