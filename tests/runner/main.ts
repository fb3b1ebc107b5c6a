/**
 * Runs the tests and says how far it is: `npm test`, `npm run test:all` and `npm run test:unit`. Exit 0: all passed; 1: some did
 * not; 2 to 4: nothing was run, for the reason said; 130: interrupted.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { printError } from '../../src/cli/print-error.ts';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { cpusFromNow } from '../../src/core/system/machine.ts';
import { projectDir } from '../support/cli.ts';
import { fetchForOwnNetworks, fetchTools, holdCheckout, requireRoom } from './preparation.ts';
import { inTurn } from './in-turn.ts';
import { runGroup } from './run-group.ts';
import { filesIn, selections, shortName, type FileGroup, type Phase } from './selection.ts';
import { linesOfFailure, Tally } from './tally.ts';
import { expectedOf, inWords, TimeLeft } from './time-left.ts';

const cacheDir = join(projectDir, '.h2h3');
const timesFile = join(cacheDir, 'test-times.json');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** What each file took in the last run that had it, in milliseconds. */
function lastTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
  } catch (thrown) {
    if (hasErrno(thrown, 'ENOENT') || thrown instanceof SyntaxError) return {};
    throw thrown;
  }
}

async function runAll(phases: readonly Phase[], signal: AbortSignal): Promise<Tally> {
  const tally = new Tally();
  const expected = phases.flatMap(expectedOf);
  const left = new TimeLeft(expected, lastTimes());
  const beganMs = performance.now();
  const ended = (names: readonly string[], what?: string): void => {
    names.forEach((name) => left.ended(name));
    if (what === undefined) return;
    const spentMs = performance.now() - beganMs;
    const rest =
      left.filesLeft === 0
        ? 'the last'
        : `${left.filesLeft} files left, about ${inWords(left.leftMs(spentMs))}`;
    say(`${inWords(spentMs).padStart(6)}  ${what}; ${rest}`);
  };
  const lineOf = (file: string, durationMs: number): string | undefined => {
    const failed = tally.failures.some((failure) => failure.file === file) ? ' FAILED' : '';
    // Unit tests are too many for a line each.
    return failed === '' && file.includes('/unit/')
      ? undefined
      : `${shortName(file)}${failed} ${inWords(durationMs)}`;
  };
  const runOne = async (group: FileGroup): Promise<void> => {
    const files = filesIn(group);
    const { whole, how, said } = await runGroup(group, signal, (event) => {
      tally.add(event);
      // At once, too: a run that is cut off before its end has said what failed.
      if (event.type === 'test' && event.failure !== undefined)
        linesOfFailure({ ...event, text: event.failure }).forEach(say);
      if (event.type === 'file')
        ended([relative(projectDir, event.file)], lineOf(event.file, event.durationMs));
    });
    if (group.concurrency === null && files.length > 1)
      ended(files, `${files.length} files of ${group.name}`);
    if (!whole && !signal.aborted)
      tally.fail({ file: group.name, name: `the test runner ended before its tests (${how})`, text: said });
  };
  for (const phase of phases) {
    const phaseBeganMs = performance.now();
    const cpuShares = cpusFromNow();
    await inTurn(phase, signal, runOne);
    tally.ended({
      name: phase.name,
      durationMs: performance.now() - phaseBeganMs,
      busy: cpuShares()?.busy ?? null,
    });
  }
  return tally;
}

async function main(name: string, signal: AbortSignal): Promise<number> {
  if (!(name in selections))
    throw new H2h3Error('usage', `no tests are called "${name}"`, {
      next: `Name one of ${Object.keys(selections).join(', ')}.`,
    });
  const beganMs = performance.now();
  const isWhole = name !== 'unit';
  if (isWhole) {
    requireRoom();
    await fetchTools(signal, say);
    if (name === 'all') await fetchForOwnNetworks(signal, say);
  }
  const release = isWhole ? holdCheckout(cacheDir) : (): void => undefined;
  try {
    const tally = await runAll(selections[name as keyof typeof selections], signal);
    if (signal.aborted) return 130;
    if (isWhole) {
      const times = [...tally.timesMs].map(([file, ms]) => [relative(projectDir, file), Math.round(ms)]);
      writeFileSync(timesFile, JSON.stringify({ ...lastTimes(), ...Object.fromEntries(times) }));
    }
    const spentMs = performance.now() - beganMs;
    const parts = [
      tally.failureLines(),
      tally.skippedLines(),
      tally.slowestLines(),
      tally.cpuLine(),
      tally.closingLines(spentMs),
    ];
    parts.flat().forEach(say);
    return tally.passed ? 0 : 1;
  } finally {
    release();
  }
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());
try {
  process.exitCode = await main(process.argv[2] ?? 'test', interruption.signal);
} catch (thrown) {
  process.exitCode = printError(thrown, (line) => void process.stderr.write(`${line}\n`), {
    command: 'npm test',
  });
}
