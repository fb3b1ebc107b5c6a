import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { emulatorSources } from '../../harness/network/emulator-programs.ts';
import { buildProgram } from '../support/sanitized-program.ts';

/** What moves packets, without the program around it. */
const sources = emulatorSources['path-emulator'].filter(
  (name) => !['path-emulator.c', 'control.c', 'forwarder.c'].includes(name),
);

/** Builds a program of C around them, with sanitizers. @returns its path */
export function buildWithDirection(folder: string, file: string): string {
  return buildProgram(folder, { files: [file, ...sources], sanitized: true });
}

/** Builds the program that sends malformed packets through every kind of queue. @returns its path */
export function buildMalformedPackets(folder: string): string {
  return buildWithDirection(folder, join(import.meta.dirname, 'malformed-packets.c'));
}

/** @returns what is wrong, a line each: a kind of queue that failed, or what a sanitizer says */
export function sendMalformedPackets(program: string, seed: number, packets: number): string[] {
  const { status, stdout, stderr } = spawnSync(program, [String(seed), String(packets)], {
    encoding: 'utf8',
    // Each kind of queue keeps its memory to the end.
    env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' },
  });
  const failed = stdout.split('\n').filter((line) => line.startsWith('failed '));
  return status === 0 || failed.length > 0 ? failed : [`exit ${status}: ${stderr.slice(0, 3000)}`];
}
