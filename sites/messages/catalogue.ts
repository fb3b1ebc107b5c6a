import type { Workload } from '../../src/core/model/workload.ts';
import { bytesOfSize } from '../../src/core/model/units.ts';
import { messageWorkload, type MessageOptions } from './message-workload.ts';

type Known = Omit<MessageOptions, 'id'> & { readonly title: string };

/** What people build on messages, by the last part of the name. */
const uses: Readonly<Record<string, Known>> = {
  chat: { title: 'Chat, 200 bytes four times a second', messageBytes: 200, gapMs: 250 },
  game: { title: 'Game, 100 bytes 60 times a second', messageBytes: 100, gapMs: 1000 / 60 },
  telemetry: { title: 'Telemetry, 500 bytes ten times a second', messageBytes: 500, gapMs: 100 },
};

/** The messages of a chat, a game and telemetry, and `messages-100b-10ms`, which the preset has. */
export function messageWorkloads(): readonly Workload[] {
  return [
    ...Object.entries(uses).map(([use, known]) => messageWorkload({ id: `messages-${use}`, ...known })),
    ...[messageWorkloadNamed('messages-100b-10ms')].filter((known) => known !== undefined),
  ];
}

/** A number of four bytes stands at the beginning of each. */
const minBytes = 8;
const maxBytes = 60_000;
/** Browsers let no timer run more often than this once it has called itself five times (HTML, 8.6). */
const minGapMs = 4;
const maxGapMs = 5_000;

const minCount = 10;
const maxCount = 20_000;

/** Messages of any size to 60 KB, one each 4 ms to 5 s, and how many: `messages-<n>b|kb-<n>ms[-x<n>]`; else undefined. */
export function messageWorkloadNamed(id: string): Workload | undefined {
  const form = /^messages-([1-9]\d*(?:b|kb))-([1-9]\d*)ms(?:-x([1-9]\d*))?$/;
  const [, size = '', gap, told] = form.exec(id) ?? [];
  const messageBytes = bytesOfSize(size);
  const gapMs = Number(gap);
  const count = told === undefined ? undefined : Number(told);
  const isPossible =
    messageBytes >= minBytes && messageBytes <= maxBytes && gapMs >= minGapMs && gapMs <= maxGapMs;
  if (!isPossible || (count !== undefined && (count < minCount || count > maxCount))) return undefined;
  return messageWorkload({ id, messageBytes, gapMs, ...(count === undefined ? {} : { count }) });
}
