import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { isAlive } from '../../src/core/system/processes/process-identity.ts';
import { runProgram } from '../../src/core/system/run-program.ts';

/**
 * A container is no child of the command that starts it: it outlives a command that is killed. So those that a run starts carry
 * its id as a label, by which they are found.
 */
const runLabel = 'h2h3.run';
/** Ids of processes mean something in one place only, and several may share an engine. */
const placeLabel = 'h2h3.place';
const engines = ['docker', 'podman'];
const startsContainer = /^(\s*(?:sudo(?:\s+-n)?\s+)?(?:\S*\/)?(?:docker|podman))(\s+run)(?=\s)/;
const engineLimitMs = 20_000;

type Command = string | readonly string[];

/** The words before `run` of a command that starts a container; null for any other command. */
export function engineOf(command: Command): readonly string[] | null {
  if (typeof command === 'string') {
    const [, engine] = startsContainer.exec(command) ?? [];
    return engine?.trim().split(/\s+/) ?? null;
  }
  const [program = '', verb] = command;
  return engines.includes(basename(program)) && verb === 'run' ? [program] : null;
}

/** The same command, whose container carries the id of the run. */
export function withRunLabel(command: Command, runId: string): Command {
  const option = ['--label', `${runLabel}=${runId}`, '--label', `${placeLabel}=${ownPlace()}`];
  if (engineOf(command) === null) return command;
  if (typeof command === 'string') return command.replace(startsContainer, `$1$2 ${option.join(' ')}`);
  return [...command.slice(0, 2), ...option, ...command.slice(2)];
}

/**
 * Ends the containers of a run, with what is in them. Killed first: podman's `rm -f` waits ten seconds for a server that waits for its
 * connections to end.
 */
export function removalOf(engine: readonly string[], runId: string): readonly string[] {
  const quotedEngine = engine.map((word) => `'${word}'`).join(' ');
  const script = `for id in $(${quotedEngine} ps -aq --filter label=${runLabel}=${runId}); do ${quotedEngine} kill "$id" 2>/dev/null; ${quotedEngine} rm -f "$id"; done`;
  return ['/bin/sh', '-c', script];
}

function ownPlace(): string {
  const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  return `${hostname()}-${namespace}`;
}

/** Ends containers of runs of this place that are gone. */
export async function endAbandonedContainers([program = '', ...words]: readonly string[]): Promise<void> {
  const ask = async (...args: readonly string[]): Promise<string[]> => {
    const { stdout } = await runProgram(program, [...words, ...args], { timeoutMs: engineLimitMs });
    return stdout.split('\n').filter((line) => line !== '');
  };
  const filters = [runLabel, `${placeLabel}=${ownPlace()}`].flatMap((label) => [
    '--filter',
    `label=${label}`,
  ]);
  for (const id of await ask('ps', '-aq', ...filters)) {
    const [runId = ''] = await ask('inspect', '--format', `{{index .Config.Labels "${runLabel}"}}`, id);
    const pid = Number(runId.split('-')[0]);
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid)) {
      await ask('kill', id);
      await ask('rm', '-f', id);
    }
  }
}
