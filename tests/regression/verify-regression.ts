/**
 * Makes a browser really worse and sees that a gate says why: the newer of two versions of Chromium writes a log of every packet
 * while it downloads, which its networking process has to compute. Then, as docs/diagnosis.md has it, the run is made, measured
 * again and judged:
 *
 *     npm run verify:regression [-- --folder DIR]
 *
 * It wants root (a link of its own, perf) and takes about three minutes; the folder is kept where it is named.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Gate } from '../../src/core/model/gate.ts';
import { readGate, startCli } from '../support/cli.ts';

const { values } = parseArgs({ options: { folder: { type: 'string' } } });
const before = 'chromium@148';
const between = 'chromium@150';
const after = 'chromium@153';
const temporary = mkdtempSync(join(os.tmpdir(), 'h2h3-regression-'));
const folder = values.folder ?? join(temporary, 'run');
const fault = `--log-net-log=${join(temporary, 'net-log.json')} --net-log-capture-mode=Everything`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs `h2h3` to its end, which must be the one that is expected. */
async function h2h3(words: readonly string[], expected = 0): Promise<void> {
  const startMs = performance.now();
  const { child, result } = startCli(words);
  child.stdout?.pipe(process.stdout);
  child.stderr?.pipe(process.stderr);
  const { code } = await result;
  say(
    `\nh2h3 ${words.join(' ')}\n  ended with ${code} after ${Math.round((performance.now() - startMs) / 1000)} s\n`,
  );
  assert.equal(code, expected, words.join(' '));
}

/** Of the stacks of a differential flame graph, hundredths of a ms before and after. */
function flameTimes(name: string): readonly [number, number] {
  const stacks = readFileSync(join(folder, name), 'utf8').trim().split('\n');
  const times = stacks.map((line) => line.split(' ').slice(-2).map(Number));
  return [
    times.reduce((sum, [first = NaN]) => sum + first, 0),
    times.reduce((sum, [, second = NaN]) => sum + second, 0),
  ];
}

function judge({ outcome, reasons = [], bisect = '' }: Gate): void {
  const text = reasons.join('\n');
  assert.equal(outcome, 'worse');
  assert.match(text, /because the client’s networking process is saturated for longer/, 'the cause is named');
  assert.match(text, /counted a trial .*packets received \d+ → \d+/, 'packets of both versions are counted');
  assert.match(text, /system calls \d+ → \d+/, 'and system calls');
  assert.match(text, /the networking process by symbol: .*\d+ → \d+ ms/, 'its times are told');
  const file = /differential flame graph of the client: (\S+)/.exec(text)?.[1] ?? '';
  const [first, second] = flameTimes(file);
  assert.ok(second > 1.5 * first, `the flame graph shows what is computed more: ${first} → ${second}`);
  assert.ok(bisect.includes(between) && !bisect.includes(`${after}:`), `the run between: ${bisect}`);
  say(`${reasons.join('\n')}\n${bisect}\nclient, all stacks: ${first / 100} → ${second / 100} ms a trial`);
}

try {
  const arms = ['--arm', `${before}:h3`, '--arm', `${after}:h3+flags=${fault}`];
  const place = ['--workload', 'download-10mb', '--network', 'ethernet-1g', '--repetitions', '8'];
  await h2h3(['run', ...place, ...arms, '--out', folder]);
  await h2h3(['diagnose', folder, '--measure']);
  await h2h3(['gate', folder, '--force'], 1);
  judge(readGate(folder));
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
