import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { ArchiveIndex } from '../../sites/archive/archive-index.ts';
import { pageStages, type PageStages } from '../../src/analyse/derive/critical-path.ts';
import { describeSample } from '../../src/analyse/statistics/quantile.ts';
import type { TrialEvidence } from '../../src/core/model/derive.ts';
import type { TrialRecord } from '../../src/core/model/record.ts';
import { readEvidence } from '../../src/store/evidence.ts';
import { readRecords } from '../support/cli.ts';
import type { Application } from './applications.ts';
import { differingShare } from './compare-pictures.ts';

/** Of each answer the least think time of so many loads is kept. */
export const loads = 5;

/** Original and replay are loaded so often, in turns. */
export const rounds = 3;

/** How the recording went. */
export interface Recorded {
  readonly recordMs: number;
  /** Of the machine, over the last minute of loading the replay. */
  readonly loadAverage: number;
}

/** What is on disk of an application that was recorded, loaded, and loaded as a replay. */
export interface Verified extends Recorded {
  readonly application: Application;
  readonly folder: string;
}

const arms = ['h2', 'h3'] as const;
const stages: readonly (readonly [keyof PageStages, string])[] = [
  ['connection', 'connection'],
  ['firstByte', 'first byte'],
  ['queueing', 'queueing'],
  ['transfer', 'transfer'],
  ['processing', 'processing'],
];
const head = `# Replays beside their originals

Real applications of a package registry behind Caddy, loaded once, because they remember their first visitor, then recorded in
${loads} loads, of which each answer keeps the least think time, and replayed with it (\`--think-time\`). Each was loaded in both browsers over both protocols, original and replay in
turns, browser and servers on the same CPUs. The times are medians in ms over loopback of all loads that reached their load
event, and the replay's beside the original's in brackets; a load is _valid_ when nothing failed after it either. _Picture_ is
the largest share of pixels in which the last frame of a replay (400 pixels wide) visibly differs from that of an original of
the same browser and protocol; in brackets how far the originals differ from each other. Of _answers_ those that are not exact
are called as in [how an answer is found](../docs/sites.md#how-an-answer-is-found), over all loads; _lacking_ is each attempt at a web
socket that was named as lacking when it was recorded.

What keeps the times apart: the original's server calculates, and where the machine is loaded waits for its CPU, while
the replay waits the least that it was ever seen to take, and calculates nothing. So on a loaded machine (its load stands with
each application; above about 3, other work ran beside) a replay is faster where its server works much, and a ratio says as much of the machine as of the replay.
Below each table stands where the time goes: medians in ms of what a load waits for along its critical path, which add up to
its load time but for their being medians, and the sums of waiting and receiving over all requests, of which many run side by side.

\`npm run verify:replay\` writes this page.
`;

export async function replayPage(verified: readonly Verified[]): Promise<string> {
  const text = `${head}\n${verified.map(section).join('\n')}`;
  return format(text, { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' });
}

function section({ application, folder, recordMs, loadAverage }: Verified): string {
  const index = JSON.parse(readFileSync(join(folder, 'archive/index.json'), 'utf8')) as ArchiveIndex;
  const bytes = index.entries.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const lacks = index.lacks.map(({ feature, url }) => `${feature} \`${new URL(url).pathname}\``);
  const original = loadsOf(folder, 'original');
  const replay = loadsOf(folder, 'replay');
  const clients = [...new Set(replay.map(({ record }) => record.client))];
  const rows = clients.flatMap((client) => arms.map((arm) => row(client, arm, original, replay)));
  const parts = clients.flatMap((client) => arms.map((arm) => stageRow(client, arm, original, replay)));
  const how = application.deterministic === true ? ', recorded with `--deterministic`' : '';
  return `## ${application.title}${how}

Recorded in ${(recordMs / 1000).toFixed(1)} s: ${index.entries.length} answers, ${(bytes / 1_000_000).toFixed(2)} MB; load of the machine ${loadAverage.toFixed(1)} on ${availableParallelism()} CPUs.${
    lacks.length === 0 ? '' : ` Named as lacking: ${[...new Set(lacks)].join(', ')}.`
  }

| browser | protocol | valid, original | valid, replay | PLT, original | PLT, replay | answers | picture |
| ------- | -------- | --------------- | ------------- | ------------- | ----------- | ------- | ------- |
${rows.join('\n')}

Where that time goes, original → replay:

| browser | protocol | ${stages.map(([, title]) => title).join(' | ')} | all waits | all receiving |
| ------- | -------- | ${stages.map(() => '---').join(' | ')} | --------- | ------------- |
${parts.join('\n')}
`;
}

interface Load {
  readonly record: TrialRecord;
  readonly evidence: TrialEvidence;
}

function loadsOf(folder: string, what: 'original' | 'replay'): Load[] {
  return Array.from({ length: rounds }, (_, round) => join(folder, `${what}-${round}`)).flatMap((run) =>
    readRecords(run).map((record) => ({
      record,
      evidence: readEvidence(join(run, 'trials', record.trialId)),
    })),
  );
}

function row(client: string, arm: string, originals: readonly Load[], replays: readonly Load[]): string {
  const ofRow = ({ record }: Load): boolean => record.client === client && record.arm === arm;
  const own = originals.filter(ofRow);
  const replayed = replays.filter(ofRow);
  const ownMs = pltOf(own);
  const replayedMs = pltOf(replayed);
  const ratio = ownMs === null || replayedMs === null ? '' : ` (× ${(replayedMs / ownMs).toFixed(2)})`;
  const ms = (plt: number | null): string => (plt === null ? '–' : String(Math.round(plt)));
  const cells = [
    client,
    arm,
    validOf(own),
    validOf(replayed),
    ms(ownMs),
    ms(replayedMs) + ratio,
    answersOf(replayed),
    pictures(own.flatMap(lastFrame), replayed.flatMap(lastFrame)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Medians in ms of what the loads waited for along their critical path, and sums over all their requests. */
function stageRow(client: string, arm: string, originals: readonly Load[], replays: readonly Load[]): string {
  const ofRow = ({ record }: Load): boolean => record.client === client && record.arm === arm;
  const both = [originals.filter(ofRow), replays.filter(ofRow)];
  const beside = (ms: (load: Load) => number | undefined): string =>
    both
      .map((those) => describeSample(those.flatMap((load) => ms(load) ?? [])).median)
      .map((median) => (median === null ? '–' : String(Math.round(median))))
      .join(' → ');
  const ofAll = (timing: 'wait' | 'receive') =>
    beside(({ evidence }) =>
      evidence.har?.log.entries.reduce((sum, { timings }) => sum + Math.max(0, timings[timing]), 0),
    );
  const cells = [
    client,
    arm,
    ...stages.map(([stage]) =>
      beside(({ evidence }) => pageStages(evidence.raw.timings, evidence.har)?.[stage]),
    ),
    ofAll('wait'),
    ofAll('receive'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function validOf(those: readonly Load[]): string {
  return `${those.filter(({ record }) => record.status === 'ok').length} of ${those.length}`;
}

/** Median of all loads that reached their load event: what makes one invalid is mostly a request after it. */
function pltOf(those: readonly Load[]): number | null {
  return describeSample(those.flatMap(({ evidence }) => evidence.raw.timings?.loadEventEndMs ?? [])).median;
}

/** How the replay found its answers, over all its loads. */
function answersOf(those: readonly Load[]): string {
  const counts = new Map<string, number>();
  const add = (name: string, count: number): void => void counts.set(name, (counts.get(name) ?? 0) + count);
  for (const { evidence } of those) {
    const { ledger } = evidence.raw;
    for (const [name, count] of Object.entries(ledger?.answered ?? {})) add(name, count);
    add('miss', ledger?.missed ?? ledger?.misses.length ?? 0);
  }
  return [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

const lastFrame = ({ evidence }: Load): Uint8Array[] => evidence.frameImages.slice(-1);

function pictures(originals: readonly Uint8Array[], replays: readonly Uint8Array[]): string {
  const largest = (ones: readonly Uint8Array[], others: readonly Uint8Array[]): string => {
    const shares = ones.flatMap((one) => others.map((other) => differingShare(one, other)));
    return shares.length === 0 ? '–' : `${(100 * Math.max(...shares)).toFixed(1)} %`;
  };
  return `${largest(originals, replays)} (${largest(originals, originals)})`;
}
