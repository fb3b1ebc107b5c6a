import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { deriveSeed, seededRandom } from '../../src/core/model/seeded-random.ts';
import { mutate } from './mutate.ts';
import type { FuzzedReader } from './fuzzed-reader.ts';

/** An input that a reader may not meet like this. */
export interface Fault {
  readonly reader: string;
  readonly seed: number;
  readonly index: number;
  readonly what: string;
  readonly input: Buffer;
}

export interface FuzzResult {
  readonly inputs: number;
  /** Inputs that were read all the same. */
  readonly accepted: number;
  readonly slowestMs: number;
  readonly faults: readonly Fault[];
}

/** CPU time that an input may take; a reader that waits for longer than that without work hangs. */
export const maxReadMs = 5_000;
const maxWaitMs = 60_000;
/** What an input can bring about: it is refused, or the machine cannot take it. */
const refusals: readonly string[] = ['usage', 'bad-input', 'unsupported', 'storage'];

/** The input of this number, made again from the seed. */
export function inputOf({ id, corpus }: FuzzedReader, seed: number, index: number): Buffer {
  const original = corpus[index % corpus.length] ?? Buffer.alloc(0);
  // The first ones are as they are: what cannot read them is tested by nothing that follows.
  return index < corpus.length ? original : mutate(original, seededRandom(deriveSeed(seed, id, index)));
}

/** Whether what was thrown speaks of the input, and not of a fault in the reader. */
function isRefusal(thrown: unknown, { refusesByAnyError }: FuzzedReader): boolean {
  if (thrown instanceof H2h3Error) return refusals.includes(thrown.code);
  const isOfProgram =
    thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;
  return refusesByAnyError === true && thrown instanceof Error && !isOfProgram;
}

/** Why an input is a fault, or null. @param isWhole it is as it should be, and has to be read */
async function faultOf(
  reader: FuzzedReader,
  input: Buffer,
  isWhole: boolean,
): Promise<{ accepted: boolean; what: string | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'h2h3-fuzz-'));
  const begun = { ms: performance.now(), cpu: process.cpuUsage() };
  let accepted = false;
  let what: string | null = null;
  try {
    await reader.read(input, folder);
    accepted = true;
  } catch (thrown) {
    if (!isRefusal(thrown, reader) || isWhole)
      what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { user, system } = process.cpuUsage(begun.cpu);
  const cpuMs = (user + system) / 1000;
  const tookMs = performance.now() - begun.ms;
  if (cpuMs > maxReadMs || tookMs > maxWaitMs)
    what ??= `took ${Math.round(cpuMs)} ms of CPU time in ${Math.round(tookMs)} ms`;
  if ('polluted' in {}) what ??= 'changed the prototype of all objects';
  return { accepted, what };
}

export interface FuzzOptions {
  readonly seed: number;
  /** Number of the first input. Default: 0. */
  readonly from?: number;
  /** Number after that of the last. */
  readonly to: number;
  /** Called after each input. */
  readonly done?: () => void;
}

/** Gives a reader inputs `from` up to `to`. */
export async function fuzzReader(
  reader: FuzzedReader,
  { seed, from = 0, to, done }: FuzzOptions,
): Promise<FuzzResult> {
  const faults: Fault[] = [];
  let accepted = 0;
  let slowestMs = 0;
  for (let index = from; index < to; index++) {
    const input = inputOf(reader, seed, index);
    const begun = performance.now();
    const result = await faultOf(reader, input, index < reader.corpus.length);
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    if (result.accepted) accepted++;
    if (result.what !== null) faults.push({ reader: reader.id, seed, index, what: result.what, input });
    done?.();
  }
  return { inputs: to - from, accepted, slowestMs, faults };
}
