import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';

/** Packets that a machine too busy or a buffer too small lost; on an emulated path they pass for loss of the network. */
const foreignDrop = /rcvbuferrors|softnet.*drop|interface.*drop/i;

/** Counters that only an emulated path has. */
const emulatorCounter = /^emulator/i;
const lateCounter = /^emulator.*late/i;

export interface CounterJudgement {
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

/**
 * Drops that the emulator did not make: on an emulated path the trial is invalid, because nothing tells them from the
 * loss that was set; on a plain loopback they are part of what the protocol costs there, and a warning.
 */
export function judgeCounters(counters: Readonly<Record<string, number>>): CounterJudgement {
  const raised = Object.entries(counters ?? {}).filter(([, value]) => value > 0);
  const emulated = Object.keys(counters ?? {}).some((name) => emulatorCounter.test(name));
  const drops = raised.filter(([name]) => foreignDrop.test(name) && !emulatorCounter.test(name));
  const late = raised.filter(([name]) => lateCounter.test(name));
  const describe = ([name, value]: [string, number]): string => `${name} rose by ${value}`;
  return {
    findings: emulated
      ? drops.map((counter) =>
          invalid(`${describe(counter)}: packets were lost that the emulated path did not drop`),
        )
      : [],
    warnings: [
      ...(emulated ? [] : drops.map((counter) => `${describe(counter)}: the machine lost packets`)),
      ...late.map((counter) => `${describe(counter)}: the emulated path released packets late`),
    ],
  };
}
