/**
 * Runs on the other machine of a run, started over ssh: reads requests of `far-protocol.ts` on its standard input and answers on
 * its standard output. It ends, with all that it started, when its input ends or is silent for too long.
 */
import os from 'node:os';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseForeignJson } from '../../src/core/model/bounded-json.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { describeMachine } from '../../src/core/system/machine.ts';
import { packageDirOf } from '../../src/core/system/module-file.ts';
import { checkNoise, noiseWarnings } from '../../src/core/system/noise-checks.ts';
import { removeTogether } from '../../src/core/system/processes/owned-folder.ts';
import { openRunScope } from '../../src/core/system/processes/run-scope.ts';
import { readInput } from '../../src/core/system/read-input.ts';
import { userCacheDir } from '../../src/core/system/tool-cache.ts';
import { writeWhole } from '../../src/core/system/write-whole.ts';
import { machineCounters } from '../network/loopback.ts';
import { tcpCongestionControls } from '../servers/tcp-congestion.ts';
import { createSetupContext } from '../tools/setup-context.ts';
import { serverHostRows } from './far-doctor.ts';
import { FarContent } from './far-content.ts';
import { endEarlier } from './far-earlier.ts';
import { takePlace } from './far-port.ts';
import { noRoom } from './far-room.ts';
import { FarNetworks } from './far-networks.ts';
import { FarServers } from './far-servers.ts';
import type { FarWorkers } from './far-workers.ts';
import {
  farCalls,
  protocolVersion,
  requestSchema,
  silenceLimitMs,
  type Answered,
  type Asked,
  type FarCall,
  type FarError,
  type FarHello,
  type FarLine,
} from './far-protocol.ts';
import { onLines } from './lines.ts';
import { listenForMeasurement, type LinkListener } from './link-listener.ts';
import { measureLink } from './link-measurement.ts';
import { nicAt } from './nic.ts';

const maxTextLength = 4000;

const say = (line: FarLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** What cannot begin says so, and ends. */
async function orRefuse<Begun>(begin: () => Promise<Begun> | Begun): Promise<Begun> {
  try {
    return await begin();
  } catch (thrown) {
    say({ event: 'refused', error: errorOf(thrown) });
    return process.exit(1);
  }
}

const projectDir = packageDirOf(import.meta.url);
const { platform } = process;
const cacheDir = userCacheDir({ homeDir: os.homedir(), platform, environment: process.env });
const scope = await orRefuse(() => openRunScope(() => undefined));
const workDir = join(cacheDir, 'far', 'work', scope.runId);
const keysDir = join(workDir, 'keys');
scope.reaper.removeAtEnd(workDir);
const { setup, content, servers } = await orRefuse(async () => {
  removeTogether(scope.tempDir, workDir);
  mkdirSync(workDir, { recursive: true, mode: 0o700 });
  const own = await createSetupContext({
    projectDir,
    cacheDir,
    progress: ({ title, detail }) =>
      say({ event: 'progress', title: detail === undefined ? title : `${title}, ${detail}` }),
  });
  const sent = new FarContent(join(cacheDir, 'far', 'content'), join(workDir, 'partial'));
  const environment = { ...(process.env as Record<string, string>), ...scope.environment };
  const died = (server: number, part: string): void => say({ event: 'died', server, part });
  const started = new FarServers({ setup: own, content: sent, workDir, keysDir, environment, died });
  return { setup: own, content: sent, servers: started };
});

/** Loaded where clients run here: servers need no browser's modules. */
let loading: Promise<FarWorkers> | undefined;
const { tempDir, environment: marker, runId } = scope;
const networks = new FarNetworks({ setup, runId, workDir, environment: marker });
const workers = (): Promise<FarWorkers> =>
  (loading ??= import('./far-workers.ts').then(
    ({ FarWorkers: Made }) => new Made({ setup, workDir, tempDir, environment: marker, networks }),
  ));

let isOver = false;
/** Everything of the run is ended by force: nobody waits for it any more. */
async function end(): Promise<void> {
  if (isOver) return;
  isOver = true;
  servers.close();
  await scope.reaper.finish();
  process.exit(0);
}

type Handlers = {
  readonly [Call in FarCall]: (asked: Asked<Call>) => Promise<Answered<Call>> | Answered<Call>;
};

const nothing = {};
let listener: LinkListener | undefined;
const handlers: Handlers = {
  hello,
  ping: () => nothing,
  claim: async ({ address, port }) => {
    await takePlace(address, port);
    return nothing;
  },
  takeOver: async ({ runId }) => {
    await endEarlier(runId);
    return nothing;
  },
  find: (asked) => servers.find(asked),
  missing: ({ digests }) => ({ digests: content.missing(digests) }),
  put: (asked) => {
    content.put(asked);
    return nothing;
  },
  keys: ({ files }) => {
    for (const { path, pem } of files) {
      const file = join(keysDir, 'tools', path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeWhole(file, pem);
    }
    return nothing;
  },
  start: (asked) => servers.start(asked),
  mark: (asked) => servers.mark(asked),
  entries: (asked) => servers.entries(asked),
  awaitEntry: async (asked) => {
    await servers.awaitEntry(asked);
    return nothing;
  },
  cpuTimes: (asked) => servers.cpuTimes(asked),
  stop: async (asked) => {
    await servers.stop(asked);
    return nothing;
  },
  measure: async (asked) => {
    await listener?.close();
    listener = await listenForMeasurement(asked);
    return nothing;
  },
  measured: async () => {
    await listener?.close();
    listener = undefined;
    return nothing;
  },
  ledger: (asked) => servers.ledger(asked),
  arrived: (asked) => servers.arrived(asked),
  appLedger: (asked) => servers.appLedger(asked),
  questions: (asked) => servers.questions(asked),
  logs: (asked) => servers.logs(asked),
  logPart: (asked) => servers.logPart(asked),
  noise: async () => ({ disturbances: noiseWarnings(await checkNoise()) }),
  doctor: async ({ of }) => {
    if (of === 'servers') return { rows: await serverHostRows(setup) };
    const { clientHostRows } = await import('./client-doctor.ts');
    return { rows: await clientHostRows(setup) };
  },
  clients: async (asked) => (await workers()).clients(asked),
  worker: async (asked) => (await workers()).start(asked),
  loaded: async (asked) => (await workers()).loaded(asked),
  order: async (asked) => (await workers()).order(asked),
  begin: async (asked) => (await workers()).begin(asked),
  untilMeasured: async (asked) => (await workers()).untilMeasured(asked),
  ended: async (asked) => (await workers()).ended(asked),
  files: async (asked) => (await workers()).files(asked),
  filePart: async (asked) => (await workers()).filePart(asked),
  release: async (asked) => (await workers()).release(asked),
  lackingNetworks: (asked) => networks.lacking(asked),
  startNetwork: (asked) => networks.start(asked),
  networkCounts: (asked) => networks.counts(asked),
  stopNetwork: (asked) => networks.stop(asked),
  counters: () => ({ counters: machineCounters() }),
  measureLink: (asked) => measureLink(asked),
};

async function hello(): Promise<FarHello> {
  // `CLIENT PORT SERVER PORT` (ssh(1), ENVIRONMENT).
  const [nearAddress = '', , address = ''] = (process.env['SSH_CONNECTION'] ?? '').split(' ');
  const file = readInput(join(projectDir, 'package.json'), { what: 'the package' }).toString('utf8');
  return {
    protocol: protocolVersion,
    version: (JSON.parse(file) as { readonly version: string }).version,
    node: process.versions.node,
    hostName: os.hostname(),
    runId: scope.runId,
    machine: await describeMachine(),
    address,
    nearAddress,
    tcpCongestionControls: tcpCongestionControls(),
    nic: (await nicAt(address, nearAddress)) ?? null,
  };
}

async function answer(line: string): Promise<void> {
  const heardEpochMs = Date.now();
  let id = 0;
  try {
    const request = requestSchema.parse(parseForeignJson(line));
    ({ id } = request);
    const { call } = request;
    const asked = farCalls[call].asks.parse(request.asked);
    const handle = handlers[call] as (asked: unknown) => Promise<unknown>;
    const answered = await handle(asked);
    say({ id, heardEpochMs, saidEpochMs: Date.now(), answered });
  } catch (thrown) {
    say({ id, heardEpochMs, saidEpochMs: Date.now(), error: errorOf(thrown) });
  }
}

function errorOf(cause: unknown): FarError {
  const thrown = noRoom(cause) ?? cause;
  if (!(thrown instanceof H2h3Error) || thrown.code === 'interrupted')
    return { code: 'internal', message: messageOf(thrown).slice(0, maxTextLength) };
  const { code, message, next, context } = thrown;
  return {
    code,
    message: message.slice(0, maxTextLength),
    ...(next === undefined ? {} : { next: next.slice(0, maxTextLength) }),
    ...(context.stderrTail === undefined ? {} : { stderrTail: context.stderrTail.slice(-maxTextLength) }),
  };
}

let heardMs = performance.now();
setInterval(() => {
  if (performance.now() - heardMs > silenceLimitMs) void end();
}, silenceLimitMs / 16);
onLines(
  process.stdin,
  (line) => {
    heardMs = performance.now();
    void answer(line);
  },
  () => void end(),
);
process.stdin.on('end', () => void end());
process.stdin.on('error', () => void end());
process.stdout.on('error', () => void end());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
