import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { ArchiveIndex } from '../../sites/archive/archive-index.ts';
import { summarySchema, type Summary } from '../../src/model/summary.ts';
import type { TrialRecord } from '../../src/model/record.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords } from '../support/cli.ts';
import type { Application } from './applications.ts';
import { differingShare } from './compare-pictures.ts';

/** What is on disk of an application that was recorded, loaded, and loaded as a replay. */
export interface Verified {
  readonly application: Application;
  readonly folder: string;
  readonly recordMs: number;
}

const arms = ['h2', 'h3'] as const;
const head = `# Replays beside their originals

Real applications of a package registry behind Caddy, recorded once and replayed with the recorded think time. Each was
loaded in both browsers over both protocols, original and replay. The times are medians in ms over loopback of a
machine that other work shared: they tell whether a replay is of the original's size, not more. _Picture_ is the largest share
of pixels in which the last frame of a replay (400 pixels wide) visibly differs from that of an original of the same browser and protocol;
in brackets how far the originals differ from each other.

\`npm run verify:replay\` writes this page.
`;

export async function replayPage(verified: readonly Verified[]): Promise<string> {
  const text = `${head}\n${verified.map(section).join('\n')}`;
  return format(text, { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' });
}

function section({ application, folder, recordMs }: Verified): string {
  const index = JSON.parse(readFileSync(join(folder, 'archive/index.json'), 'utf8')) as ArchiveIndex;
  const bytes = index.entries.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const lacks = index.lacks.map(({ feature, url }) => `${feature} \`${new URL(url).pathname}\``);
  const original = runOf(join(folder, 'original'));
  const replay = runOf(join(folder, 'replay'));
  const clients = [...new Set(replay.records.map(({ client }) => client))];
  const rows = clients.flatMap((client) => arms.map((arm) => row(client, arm, original, replay)));
  return `## ${application.title}

Recorded in ${(recordMs / 1000).toFixed(1)} s: ${index.entries.length} answers, ${(bytes / 1_000_000).toFixed(2)} MB.${
    lacks.length === 0 ? '' : ` Named as lacking: ${[...new Set(lacks)].join(', ')}.`
  }

| browser | protocol | valid, original | valid, replay | PLT, original | PLT, replay | answers | picture |
| ------- | -------- | --------------- | ------------- | ------------- | ----------- | ------- | ------- |
${rows.join('\n')}
`;
}

interface Run {
  readonly folder: string;
  readonly summary: Summary;
  readonly records: readonly TrialRecord[];
}

function runOf(folder: string): Run {
  const summary = summarySchema.parse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')));
  return { folder, summary, records: readRecords(folder) };
}

function row(client: string, arm: (typeof arms)[number], original: Run, replay: Run): string {
  const of = (run: Run): TrialRecord[] =>
    run.records.filter((record) => record.client === client && record.arm === arm);
  const valid = (run: Run): string =>
    `${of(run).filter(({ status }) => status === 'ok').length} of ${of(run).length}`;
  const cells = [
    ...[client, arm, valid(original), valid(replay)],
    ...[pltOf(original, client, arm), pltOf(replay, client, arm)],
    ...[
      answersOf(replay, of(replay)),
      pictures(framesOf(original, of(original)), framesOf(replay, of(replay))),
    ],
  ];
  return `| ${cells.join(' | ')} |`;
}

function pltOf({ summary }: Run, client: string, arm: (typeof arms)[number]): string {
  const found = summary.comparisons.find(
    (comparison) => comparison.metric === 'pltMs' && comparison.client === client,
  );
  const side = arm === 'h2' ? found?.baseline : found?.candidate;
  return side?.median === undefined || side.median === null ? '–' : String(Math.round(side.median));
}

/** How the replay found its answers, over all its loads. */
function answersOf({ folder }: Run, records: readonly TrialRecord[]): string {
  const counts = new Map<string, number>();
  const add = (name: string, count: number): void => void counts.set(name, (counts.get(name) ?? 0) + count);
  for (const { trialId } of records) {
    const { ledger } = readEvidence(join(folder, 'trials', trialId)).raw;
    for (const [name, count] of Object.entries(ledger?.answered ?? {})) add(name, count);
    add('miss', ledger?.missed ?? ledger?.misses.length ?? 0);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

function framesOf({ folder }: Run, records: readonly TrialRecord[]): Uint8Array[] {
  return records.flatMap(({ trialId }) =>
    readEvidence(join(folder, 'trials', trialId)).frameImages.slice(-1),
  );
}

function pictures(originals: readonly Uint8Array[], replays: readonly Uint8Array[]): string {
  const largest = (ones: readonly Uint8Array[], others: readonly Uint8Array[]): string => {
    const shares = ones.flatMap((one) => others.map((other) => differingShare(one, other)));
    return shares.length === 0 ? '–' : `${(100 * Math.max(...shares)).toFixed(1)} %`;
  };
  return `${largest(originals, replays)} (${largest(originals, originals)})`;
}
