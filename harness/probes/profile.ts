import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { foundOr } from '../../src/core/model/errors.ts';
import { writeFolded, type FoldedStack } from '../../src/core/model/folded-stack.ts';
import { networkingStages, type NetworkingStage } from '../../src/core/model/networking-stages.ts';
import { processTree, readProcessTable } from '../../src/core/system/processes/process-table.ts';
import { networkingStageOf } from './networking-stages.ts';
import { startPerf } from './perf-control.ts';
import { foldingWords, isAddress, parsePerfReport, type PerfStack } from './perf-report.ts';
import type { Probe, ProbeContext, ProbeYield } from './probe.ts';

const run = promisify(execFile);
/** Out of step with timers of round periods. */
const samplesPerSecond = 499;
const sampleMs = 1000 / samplesPerSecond;
/** After so much perf itself ends a recording. */
const maxRecorded = '64M';
/** Of folded text; a few thousand stacks of one trial are far below. */
const maxFoldedBytes = 64_000_000;
const networkRole = 'network';

type Side = 'client' | 'server';

/** Samples of what client, server and kernel compute: flame graphs, and what the networking process spends its time on. */
export const profile: Probe = {
  id: 'profile',
  title: 'what client and server compute, sampled with their stacks by perf, for flame graphs; for diagnosis',
  recorded: 'asked',
  disturbs: true,
  inTimed: false,
  onThisMachine: true,
  forDiagnosis: true,
  setup: async (context) => {
    await mkdir(context.tempDir, { recursive: true });
    const roots: Partial<Record<Side, number>> = { client: context.rootPid };
    if (context.launch.server?.pid !== undefined) roots.server = context.launch.server.pid;
    const sides = await Promise.all(
      Object.entries(roots).map(async ([side, root]) => ({
        side: side as Side,
        file: join(context.tempDir, `${side}.data`),
        perf: await startSampling(root, join(context.tempDir, `${side}.data`)),
      })),
    );
    let roleByThread: ReadonlyMap<number, string> = new Map();
    return {
      start: async () => void (await Promise.all(sides.map(({ perf }) => perf.enable()))),
      stop: async () => {
        roleByThread = rolesOf(context);
        await Promise.all(sides.map(({ perf }) => perf.end()));
      },
      teardown: async () => {
        const left: ProbeYield[] = [];
        for (const { side, file } of sides) left.push(await keep(side, file, { ...context, roleByThread }));
        return merged(left);
      },
    };
  },
};

/** Processes that begin later belong to it by inheritance. Names of code stay with the files: perf’s own cache is not filled. */
async function startSampling(root: number, file: string): ReturnType<typeof startPerf> {
  const tree = processTree(readProcessTable(), root).map(({ pid }) => pid);
  return startPerf([
    'record',
    '-e',
    'cpu-clock',
    '-F',
    String(samplesPerSecond),
    '--call-graph',
    'fp',
    '--no-buildid-cache',
    '--max-size',
    maxRecorded,
    '-p',
    tree.join(),
    '-o',
    file,
  ]);
}

/** By thread, because that is what perf calls a process in its reports. */
function rolesOf({ rootPid, processRole }: ProbeContext): ReadonlyMap<number, string> {
  return new Map(
    processTree(readProcessTable(), rootPid).flatMap(({ pid, commandLine }) =>
      threadsOf(pid).map((thread) => [thread, processRole(commandLine)] as const),
    ),
  );
}

/** A process may end at any time. */
function threadsOf(pid: number): number[] {
  return foundOr(() => readdirSync(`/proc/${pid}/task`).map(Number), [], 'ESRCH');
}

interface KeptProfile extends ProbeContext {
  readonly roleByThread: ReadonlyMap<number, string>;
}

async function keep(side: Side, file: string, context: KeptProfile): Promise<ProbeYield> {
  if (!existsSync(file)) return { warnings: [`perf left no samples of the ${side}`] };
  const { stdout } = await run('perf', [...foldingWords, '-i', file], { maxBuffer: maxFoldedBytes });
  const stacks = parsePerfReport(stdout);
  if (stacks.length === 0) return { warnings: [`no sample of the ${side}: it computed too little`] };
  // A client that is a program of its own has ended by now, as have processes of browsers whose page is gone.
  const roleOf = ({ thread }: PerfStack): string =>
    side === 'server' ? 'server' : (context.roleByThread.get(thread) ?? context.processRole(null));
  const name = `profile-${side}.folded.gz`;
  const folded = foldedOf(stacks, roleOf);
  await writeFile(join(context.trialDir, name), gzipSync(writeFolded(folded)));
  return {
    artifacts: { [`profile${side === 'client' ? 'Client' : 'Server'}`]: name },
    counters: side === 'client' ? stageCounters(stacks.filter((stack) => roleOf(stack) === networkRole)) : {},
  };
}

/** Stacks that differ in nothing but addresses are one. */
function foldedOf(stacks: readonly PerfStack[], roleOf: (stack: PerfStack) => string): FoldedStack[] {
  const samplesByStack = new Map<string, FoldedStack>();
  for (const stack of stacks) {
    const frames = [roleOf(stack), stack.command, ...stack.frames.map((frame) => named(frame, stack))].filter(
      (frame, index, all) => frame !== all[index - 1],
    );
    const key = frames.join('\n');
    const samples = stack.samples + (samplesByStack.get(key)?.samples ?? 0);
    samplesByStack.set(key, { frames, samples });
  }
  return [...samplesByStack.values()];
}

/** An address says nothing in a graph; the file that it lies in does. */
function named(frame: string, { file }: PerfStack): string {
  return isAddress(frame) ? `[${file.replaceAll(/[[\]]/g, '')}]` : frame;
}

/** Above this share of code without names a stage of which nothing was seen is not known to be empty. */
const namelessShare = 0.2;

/** CPU time of the networking process by stage; a stage that may hide in code without names is left out. */
export function stageCounters(stacks: readonly PerfStack[]): Record<string, number> {
  const msOf = new Map<NetworkingStage, number>();
  for (const stack of stacks) {
    const stage = networkingStageOf(stack);
    msOf.set(stage, (msOf.get(stage) ?? 0) + stack.samples * sampleMs);
  }
  const wholeMs = [...msOf.values()].reduce((sum, ms) => sum + ms, 0);
  if (wholeMs === 0) return {};
  const isNameless = (msOf.get('notSeparable') ?? 0) > namelessShare * wholeMs;
  return Object.fromEntries(
    networkingStages
      .filter(({ id }) => msOf.has(id) || !isNameless)
      .map(({ id, counter }) => [counter, msOf.get(id) ?? 0]),
  );
}

function merged(all: readonly ProbeYield[]): ProbeYield {
  return {
    artifacts: Object.assign({}, ...all.map(({ artifacts }) => artifacts)) as Record<string, string>,
    counters: {
      profileSampleMs: sampleMs,
      ...(Object.assign({}, ...all.map(({ counters }) => counters)) as Record<string, number>),
    },
    warnings: all.flatMap(({ warnings = [] }) => warnings),
  };
}
