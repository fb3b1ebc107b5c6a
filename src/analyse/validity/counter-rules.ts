import { reasonTexts } from '../../core/model/reasons.ts';
import { invalid } from './finding.ts';
import type { Finding } from './finding.ts';

/** Packets that a machine too busy or a buffer too small lost; on an emulated path they pass for loss of the network. */
const foreignDrop = /rcvbuferrors|softnet.*drop|interface.*drop/i;

/** Counters that only an emulated path has. */
const emulatorCounter = /^emulator/i;
const lateCounter = /^emulator.*late/i;
/** Packets that it had no room for or that its device would not take: not a drop that was set. */
const overrunCounter = /^emulator.*overruns/i;
/** More late packets than this and the emulator did not keep up: 99 % must leave within 2 ms of their time. */
const maxLateShare = 0.01;
/** Of few packets a single burst is a share of more. */
const minLatePackets = 5;

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
  const overruns = raised.filter(([name]) => overrunCounter.test(name));
  const late = raised.filter(([name]) => lateCounter.test(name));
  const riseWords = ([name, value]: [string, number]): string => `${name} rose by ${value}`;
  return {
    findings: emulated
      ? [
          ...[...drops, ...overruns].map((counter) =>
            invalid(
              'packets-lost',
              `${riseWords(counter)}: packets were lost that the emulated path did not drop`,
            ),
          ),
          ...['Up', 'Down'].flatMap((direction) => latenessFinding(counters, direction)),
        ]
      : [],
    warnings: [
      ...(emulated ? [] : drops.map((counter) => `${riseWords(counter)}: the machine lost packets`)),
      ...late.map(lateWords),
    ],
  };
}

/** `the emulated network delivered 7 packets to the server more than 2 ms late`. */
function lateWords([name, value]: [string, number]): string {
  const packets = value === 1 ? 'a packet' : `${value} packets`;
  const end = /^emulatorUp/.test(name)
    ? ' to the server'
    : /^emulatorDown/.test(name)
      ? ' to the client'
      : '';
  return `the emulated network delivered ${packets}${end} more than 2 ms late`;
}

/** The trial is invalid when more than 1 % of a direction's packets left over 2 ms after their time. */
function latenessFinding(counters: Readonly<Record<string, number>>, direction: string): readonly Finding[] {
  const late = counters[`emulator${direction}Late2ms`] ?? 0;
  const packets = counters[`emulator${direction}Packets`] ?? 0;
  if (late <= packets * maxLateShare || late < minLatePackets) return [];
  return [
    invalid(
      'path-delayed',
      `${reasonTexts['path-delayed']}: ${late} of ${packets} packets ${direction.toLowerCase()} left more than 2 ms late`,
    ),
  ];
}
