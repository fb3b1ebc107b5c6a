/**
 * The last line of defence against orphans. The run starts one of these in a session of its own and holds the
 * other end of its standard input. When that pipe ends, for whatever reason (normal end, crash, SIGKILL), it
 * kills every process that carries the run's marker in its environment, runs the clean-up commands it was
 * given, removes the run's temporary folder, and ends.
 *
 * Standard input: one JSON line a request, `{"remove":"<folder>"}` or `{"command":["ip","netns","del","x"]}`.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { killMarkedProcesses, runMarkerVariable } from './marked-processes.ts';

const runId = process.env[runMarkerVariable];
if (runId === undefined || runId === '') throw new Error(`${runMarkerVariable} is not set`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const folders: string[] = [];
const commands: string[][] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as { remove?: string; command?: string[] };
  if (request.remove !== undefined) folders.push(request.remove);
  if (request.command !== undefined) commands.push(request.command);
}
await killMarkedProcesses(runMarkerVariable, runId);
for (const [program, ...rest] of commands.toReversed()) {
  if (program !== undefined) spawnSync(program, rest, { stdio: 'ignore', timeout: 5000 });
}
for (const folder of folders)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
