import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonOf } from '../../src/core/model/bounded-json.ts';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { questionSchema, type ResolverQuestion } from '../../src/core/model/raw-trial.ts';
import { endpoint } from '../../src/core/model/wire-address.ts';
import { moduleFile } from '../../src/core/system/module-file.ts';
import { startServerProcess, type ServerProcess } from '../servers/server-process.ts';
import type { CertificateStore } from '../tools/certificates.ts';
import type { ResolverSettings } from './resolver-program.ts';

const startLimitMs = 15_000;
const pollMs = 25;

export interface ResolverOptions {
  /** Names that it knows; they all lead to `address`, on which it listens as well. */
  readonly hosts: readonly string[];
  readonly address: string;
  /** To which they lead as well. */
  readonly addressV6?: string;
  /** How much later records of a type are answered, ms. */
  readonly lateMs: Readonly<Record<string, number>>;
  /** Of the questions, that it leaves without an answer; absent: none. */
  readonly lossPercent?: number | undefined;
  /** Argument prefix of its command line. */
  readonly prefix: readonly string[];
  readonly certificates: CertificateStore;
  readonly environment: Readonly<Record<string, string>>;
  /** Made where it is not there. */
  readonly workDir: string;
}

/** One load of a client, whose questions are counted by themselves. */
export interface ResolverVisit {
  readonly blockSeed: number;
  readonly trialId: string;
  /** How often the trial was measured before. */
  readonly attempt: number;
}

/** A resolver of the testbed that answers by DNS over HTTPS. */
export interface RunningResolver {
  /** `https://ADDRESS:PORT/SEED/VISIT`; behind it stands the way by which HTTP/3 is to be discovered. */
  readonly urlFor: (visit: ResolverVisit) => string;
  readonly port: number;
  readonly pid: number;
  /** Why it answers no more, for people, where more can be said of it; undefined while it does. */
  readonly deadBehind?: () => string | undefined;
  readonly alive: () => boolean;
  /** What it was asked from `epochMs` on. */
  readonly questionsSince: (epochMs: number) => Promise<ResolverQuestion[]>;
  readonly stop: () => Promise<void>;
}

/** @throws H2h3Error `process-failed` with its last lines when it does not listen */
export async function startResolver(options: ResolverOptions): Promise<RunningResolver> {
  const { address, addressV6, lateMs, lossPercent, hosts, certificates, workDir, prefix, environment } =
    options;
  await mkdir(workDir, { recursive: true });
  const settings: ResolverSettings = {
    hosts,
    address,
    addresses: [address, ...(addressV6 === undefined ? [] : [addressV6])],
    lateMs,
    ...(lossPercent === undefined ? {} : { lossPercent }),
    ...(await certificates.filesFor(address)),
  };
  const settingsFile = path.join(workDir, 'resolver.json');
  await writeFile(settingsFile, JSON.stringify(settings));
  const logFile = path.join(workDir, 'resolver.log');
  const server = await startServerProcess({
    name: 'the resolver of the testbed',
    command: [
      ...prefix,
      process.execPath,
      moduleFile('./resolver-program.ts', import.meta.url),
      settingsFile,
    ],
    environment,
    logFile,
  });
  const port = await listeningPort(server, logFile);
  return {
    urlFor: (visit) => resolverUrl({ address, port }, visit),
    port,
    pid: server.pid,
    alive: server.alive,
    questionsSince: async (epochMs) =>
      (await linesOf(logFile)).flatMap((line) => {
        const question = questionSchema.safeParse(line);
        return question.success && question.data.atEpochMs >= epochMs ? [question.data] : [];
      }),
    stop: () => server.stop(),
  };
}

async function listeningPort(server: ServerProcess, logFile: string): Promise<number> {
  const giveUpAtMs = performance.now() + startLimitMs;
  while (server.alive() && performance.now() < giveUpAtMs) {
    const [first] = await linesOf(logFile);
    if (typeof first === 'object' && first !== null && 'port' in first && typeof first.port === 'number')
      return first.port;
    await sleep(pollMs);
  }
  const stderrTail = await server.logTail();
  await server.stop();
  throw new H2h3Error('process-failed', 'the resolver of the testbed did not start', {
    context: { stderrTail },
    next: 'See its last lines.',
  });
}

/** Whole lines; what is no JSON (a warning of Node) counts as nothing. */
async function linesOf(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => jsonOf(line));
}

/** What a client asks of it in one of its loads. */
export function resolverUrl(
  at: Parameters<typeof endpoint>[0],
  { blockSeed, trialId, attempt }: ResolverVisit,
): string {
  return `https://${endpoint(at)}/${blockSeed}/${trialId}.${attempt}`;
}
