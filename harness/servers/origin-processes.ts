import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { appLedgerOf, appLineSchema, type AppLedger } from '../../src/core/model/app-ledger.ts';
import { H2h3Error, ifAbsent } from '../../src/core/model/errors.ts';
import {
  ledgerLineSchema,
  maxNamedRequests,
  relayLineSchema,
  type LedgerLine,
  type RelayLine,
  type ReplayLedger,
} from '../../src/core/model/raw-trial.ts';
import { arrivalsOf, sinkLineSchema, type SinkLine } from '../../src/core/model/sink-line.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import type { SiteRoot } from '../../src/core/model/workload.ts';
import type { ServerStartOptions } from './server.ts';

/** An archive is checked whole before it is served. */
const startTimeoutMs = 60_000;
const pollMs = 25;

/** The programs that answer behind a server: for recorded sites, for apps of the machine, relays of MoQ, and sinks of uploads. */
export interface Origins {
  /** Socket by host. */
  readonly sockets: ReadonlyMap<string, string>;
  /** Undefined without any origin of a recorded site. */
  readonly ledgerSince: (epochMs: number) => Promise<ReplayLedger | undefined>;
  /** Undefined without any app. */
  readonly appLedgerSince: (epochMs: number) => Promise<AppLedger | undefined>;
  /** Undefined without any relay of MoQ. */
  readonly relayLogSince: (epochMs: number) => Promise<RelayLine[] | undefined>;
  /** Undefined without any sink of uploads. */
  readonly arrivedSince: (epochMs: number) => Promise<SinkLine[] | undefined>;
  readonly alive: () => boolean;
  /** Name of one that has died, for people; undefined while all run. */
  readonly dead: () => string | undefined;
  readonly stop: () => Promise<void>;
}

interface Origin {
  readonly process: ServerProcess;
  readonly socket: string;
  readonly ledgerFile: string;
  readonly kind: OriginKind;
}

type WantedOrigin = NonNullable<SiteRoot['origin']>;
type OriginKind = NonNullable<WantedOrigin['kind']>;

const names: Readonly<Record<OriginKind, string>> = {
  archive: 'the origin of a recorded site',
  app: 'the way to the app',
  relay: 'the MoQ relay',
  sink: 'the sink of uploads',
};

export type OriginsOptions = Pick<
  ServerStartOptions,
  'roots' | 'address' | 'workDir' | 'launchPrefix' | 'outsidePrefix' | 'environment'
>;

/** Starts the origin of each root that has one. @throws H2h3Error `process-failed` with its last lines. */
export async function startOrigins(options: OriginsOptions): Promise<Origins> {
  await mkdir(options.workDir, { recursive: true });
  const started: Origin[] = [];
  const sockets = new Map<string, string>();
  const byCommand = Map.groupBy(
    options.roots.filter(({ origin }) => origin !== undefined),
    ({ origin }) => JSON.stringify(origin),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(({ process }) => process.stop()));
  };
  try {
    for (const [wanted, roots] of byCommand) {
      const origin = await startOrigin(JSON.parse(wanted) as WantedOrigin, started.length, options);
      started.push(origin);
      for (const { host } of roots) sockets.set(host, origin.socket);
    }
    await Promise.all(started.map(untilAnswers));
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    sockets,
    stop,
    alive: () => started.every(({ process }) => process.alive()),
    dead: () => {
      const dead = started.find(({ process }) => !process.alive());
      return dead && names[dead.kind];
    },
    ledgerSince: async (epochMs) => {
      const lines = await linesOf(started, 'archive', ledgerLineSchema);
      return lines && ledgerOf(lines, epochMs);
    },
    appLedgerSince: async (epochMs) => {
      const lines = await linesOf(started, 'app', appLineSchema);
      return lines && appLedgerOf(lines, epochMs);
    },
    relayLogSince: async (epochMs) => {
      const lines = await linesOf(started, 'relay', relayLineSchema);
      return lines?.filter(({ atEpochMs }) => atEpochMs >= epochMs);
    },
    arrivedSince: async (epochMs) => {
      const lines = await linesOf(started, 'sink', sinkLineSchema);
      const own = lines?.filter(({ atEpochMs }) => atEpochMs >= epochMs);
      return own && arrivalsOf(own);
    },
  };
}

async function startOrigin(
  { command, kind = 'archive' }: WantedOrigin,
  index: number,
  options: OriginsOptions,
): Promise<Origin> {
  const { workDir, launchPrefix, outsidePrefix = [], environment } = options;
  const socket = path.join(workDir, `origin-${index}.sock`);
  const ledgerFile = path.join(workDir, `origin-${index}.jsonl`);
  const process = await startServerProcess({
    name: names[kind],
    command: [...(kind === 'app' ? outsidePrefix : launchPrefix), ...command, socket, ledgerFile],
    environment: kind === 'relay' ? { ...environment, H2H3_SERVER_ADDRESS: options.address } : environment,
    logFile: path.join(workDir, `origin-${index}.log`),
  });
  return { process, socket, ledgerFile, kind };
}

const untilAnswers = ({ process, socket, kind }: Origin): Promise<void> =>
  untilAccepts(process, socket, `${names[kind].replace(/^t/, 'T')} did not start`);

/** Waits until the program accepts connections. @throws H2h3Error `process-failed` saying `otherwise`, with its last lines. */
export async function untilAccepts(process: ServerProcess, socket: string, otherwise: string): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs;
  while (process.alive() && performance.now() < giveUpAt) {
    if (existsSync(socket) && (await accepts(socket))) return;
    await sleep(pollMs);
  }
  throw new H2h3Error('process-failed', otherwise, {
    context: { stderrTail: await process.logTail() },
    next: 'See its last lines.',
  });
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const end = (accepted: boolean): void => {
      connection.destroy();
      resolve(accepted);
    };
    connection.once('connect', () => end(true));
    connection.once('error', () => end(false));
  });
}

/** What all origins of a kind logged; undefined where none is of it. */
async function linesOf<Line>(
  origins: readonly Origin[],
  kind: OriginKind,
  schema: z.ZodType<Line>,
): Promise<Line[] | undefined> {
  const files = origins.filter((origin) => origin.kind === kind).map(({ ledgerFile }) => ledgerFile);
  if (files.length === 0) return undefined;
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(ifAbsent(''))));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => schema.parse(JSON.parse(line))),
  );
}

function ledgerOf(lines: readonly LedgerLine[], epochMs: number): ReplayLedger {
  const answered: Record<string, number> = {};
  const misses: ReplayLedger['misses'] = [];
  const inexact: ReplayLedger['inexact'] = [];
  let missed = 0;
  for (const line of lines) {
    if (line.atEpochMs < epochMs) continue;
    const { found, ...request } = line;
    if (found === 'miss') {
      missed += 1;
      if (misses.length < maxNamedRequests) misses.push(request);
      continue;
    }
    answered[found] = (answered[found] ?? 0) + 1;
    if (found !== 'exact' && inexact.length < maxNamedRequests) inexact.push(line);
  }
  return { answered, inexact, misses, missed };
}
