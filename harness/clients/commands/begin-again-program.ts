/**
 * Runs a command-line client whose connections cannot move as somebody would who loses the address on the way: what it
 * writes of the body is counted, and once so much has come it is left, and asked anew from the other address. It reads a
 * line before it begins, prints one line of JSON and the exit code, and stays until its input ends.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { messageOf } from '../../../src/core/model/errors.ts';
import {
  otherAddressMark,
  type BeginAgainOrder,
  type BeginAgainResult,
  type OneBeginning,
} from './begin-again.ts';
import { localAddressTowards, otherAddress } from './other-address.ts';

/** A client that was left may take so long to see it. */
const leaveMs = 3000;

let beganMs = 0;
const sinceBegan = (): number => performance.now() - beganMs;

function start(
  program: string,
  words: readonly string[],
  bodyCame: (bytes: number) => void,
): { readonly child: ChildProcessByStdio<null, Readable, Readable>; readonly told: Promise<OneBeginning> } {
  const startMs = sinceBegan();
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let bodyBytes = 0;
  let firstByteMs: number | null = null;
  child.stdout.on('data', (chunk: Buffer) => {
    firstByteMs ??= sinceBegan();
    bodyBytes += chunk.length;
    bodyCame(bodyBytes);
  });
  // The body of a client that is left comes to an end in the midst of a read.
  child.stdout.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const told = new Promise<OneBeginning>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ startMs, firstByteMs, endMs: sinceBegan(), bodyBytes, exitCode: code ?? -1, text }),
    );
  });
  return { child, told };
}

/** Resolves when so much has come, or the client has ended before. */
async function beginAndLeave({ program, words, afterBytes }: BeginAgainOrder): Promise<{
  readonly first: Promise<OneBeginning>;
  readonly lostMs: number | null;
}> {
  return new Promise((resolve, reject) => {
    const { child, told } = start(program, words, (bytes) => {
      if (bytes < afterBytes || child.stdout.destroyed) return;
      // Its next write fails: it ends by itself and tells its times.
      child.stdout.destroy();
      setTimeout(() => child.kill('SIGKILL'), leaveMs).unref();
      resolve({ first: told, lostMs: sinceBegan() });
    });
    told.then(() => resolve({ first: told, lostMs: null }), reject);
  });
}

async function run(order: BeginAgainOrder): Promise<BeginAgainResult> {
  const local = await localAddressTowards(order.server);
  const other = otherAddress(local);
  const { first, lostMs } = await beginAndLeave(order);
  if (lostMs === null) return { first: await first };
  const words = order.againWords.map((word) => word.replaceAll(otherAddressMark, other));
  let recoveredMs: number | null = null;
  const { told } = start(order.program, words, (bytes) => {
    if (bytes > order.knownBytes) recoveredMs ??= sinceBegan();
  });
  const again = await told;
  return { first: await first, again, lostMs, recoveredMs };
}

async function runOnce(order: BeginAgainOrder): Promise<void> {
  beganMs = performance.now();
  try {
    process.stdout.write(`${JSON.stringify(await run(order))}\n\nexit 0\n`);
  } catch (thrown) {
    process.stderr.write(`${messageOf(thrown)}\n`);
    process.stdout.write('\nexit 1\n');
  }
}

const order = JSON.parse(process.argv[2] ?? '') as BeginAgainOrder;
// Its first line is the word to begin, its end that the measurement is over.
createInterface({ input: process.stdin }).once('line', () => void runOnce(order));
