import type { FileGroup, Phase } from './selection.ts';

/** Whether another group may begin next to those that run. */
export function mayBegin(
  running: Iterable<Pick<FileGroup, 'waits'>>,
  { atOnce, waitingAtOnce = atOnce }: Pick<Phase, 'atOnce' | 'waitingAtOnce'>,
): boolean {
  const groups = [...running];
  return groups.length < (groups.every(({ waits }) => waits === true) ? waitingAtOnce : atOnce);
}

/** Runs the groups of a phase in their order, as many at once as it says. */
export async function inTurn(
  phase: Phase,
  signal: AbortSignal,
  run: (group: FileGroup) => Promise<void>,
): Promise<void> {
  const left = [...phase.groups];
  const running = new Map<FileGroup, Promise<FileGroup>>();
  for (;;) {
    while (!signal.aborted && mayBegin(running.keys(), phase)) {
      const group = left.shift();
      if (group === undefined) break;
      running.set(
        group,
        run(group).then(() => group),
      );
    }
    if (running.size === 0) return;
    running.delete(await Promise.race(running.values()));
  }
}
