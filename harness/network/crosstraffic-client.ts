import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { CrossTraffic } from '../../src/core/factors/other-traffic.ts';
import { H2h3Error, messageOf } from '../../src/core/model/errors.ts';
import { pinPrefix } from '../../src/core/system/processes/cpu-affinity.ts';
import { guardedEnvironment } from '../../src/core/system/processes/process-guard.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { quicTraffic, type QuicTraffic } from './crosstraffic-quic.ts';
import { endWithInput, isRunning } from './held-child.ts';
import { hostScript, hostsFile, type LinkPlace } from './host-setup.ts';
import { makeNamespace, type Namespace } from './namespace.ts';
import type { NetworkStartOptions, RunningCrossTraffic } from './network.ts';
import type { PathEnds } from './path-ends.ts';
import type { Privilege } from './privilege.ts';

/** The far end's port; servers under test have others. */
const port = 8009;
const readyLimitMs = 10_000;
const endLimitMs = 3_000;
/** A program that cannot load has said so by then. */
const settleMs = 500;
const loadingSchema = z.object({ congestionControl: z.string() });

/** Another client of an emulated path, in a namespace of its own, and what answers it at the far end. */
export class CrossTrafficClient {
  readonly namespace: Namespace;
  readonly #load: CrossTraffic;
  readonly #place: LinkPlace;
  readonly #program: string;
  readonly #options: NetworkStartOptions;
  /** Undefined where the traffic goes over TCP, or is a call. */
  readonly #quic: QuicTraffic | undefined;

  private constructor(parts: {
    readonly namespace: Namespace;
    readonly load: CrossTraffic;
    readonly place: LinkPlace;
    readonly program: string;
    readonly options: NetworkStartOptions;
    readonly quic: QuicTraffic | undefined;
  }) {
    this.namespace = parts.namespace;
    this.#load = parts.load;
    this.#place = parts.place;
    this.#program = parts.program;
    this.#options = parts.options;
    this.#quic = parts.quic;
  }

  /** Makes its namespace, which ends with the path; the emulator makes its device. @throws H2h3Error `unsupported` */
  static async open(
    ends: PathEnds,
    { load, program }: { readonly load: CrossTraffic; readonly program: string },
    { privilege, context }: { readonly privilege: Privilege; readonly context: SetupContext },
    options: NetworkStartOptions,
  ): Promise<CrossTrafficClient> {
    const { place } = ends;
    const far = { address: place.farAddress, port, workDir: options.workDir };
    const quic = load.transport === 'quic' ? await quicTraffic(load, far, context) : undefined;
    const namespace = await makeNamespace(privilege, options.environment, context, ends.client);
    ends.add('namespace of the cross traffic', namespace);
    return new CrossTrafficClient({ namespace, load, place, program, options, quic });
  }

  get address(): string {
    return this.#place.crossTrafficAddress;
  }

  /** Makes its end ready and starts what answers it. @throws H2h3Error `process-failed` */
  async configure(ends: PathEnds): Promise<void> {
    const { deviceName, crossTrafficAddress, farAddress, spareAddress } = this.#place;
    const file = path.join(this.#options.workDir, 'hosts-crosstraffic');
    await writeFile(file, hostsFile([], farAddress));
    const script = hostScript({
      deviceName,
      address: crossTrafficAddress,
      peerAddress: farAddress,
      spare: { address: spareAddress, of: 'the peer' },
      hostsFile: file,
      tcpCongestionControl: this.#options.tcpCongestionControl,
      deviceCommands: [],
    });
    await this.namespace.script(script);
    await ends.server.script(
      `PATH="$PATH:/usr/sbin:/sbin"; ip route add ${crossTrafficAddress}/32 dev ${deviceName}`,
    );
    const words =
      this.#quic === undefined ? [this.#program, 'serve', String(port)] : endingWithInput(this.#quic.serve);
    const server = this.#start(ends.server, words);
    ends.add('server of the cross traffic', {
      alive: () => isRunning(server),
      stop: () => end(server),
    });
    await (this.#quic === undefined ? firstLine(server) : stayed(server));
  }

  /** Begins to load, until it is stopped. @throws H2h3Error `unsupported` for a congestion control that is not here */
  async load(): Promise<RunningCrossTraffic> {
    return this.#quic === undefined ? this.#loadByTcp(this.#load) : this.#loadByQuic(this.#quic, this.#load);
  }

  async #loadByQuic(
    { load }: QuicTraffic,
    { traffic, congestion = '' }: CrossTraffic,
  ): Promise<RunningCrossTraffic> {
    const client = this.#start(this.namespace, endingWithInput(load));
    try {
      await stayed(client);
      return {
        traffic,
        transport: 'quic',
        congestionControl: congestion,
        stop: () => end(client),
      };
    } catch (cause) {
      throw new H2h3Error('process-failed', `the other client’s ${traffic} over QUIC did not start`, {
        cause,
      });
    }
  }

  async #loadByTcp({ traffic, congestion = '-' }: CrossTraffic): Promise<RunningCrossTraffic> {
    const words = [this.#program, 'load', traffic, this.#place.farAddress, String(port), congestion];
    const client = this.#start(this.namespace, words);
    try {
      const { congestionControl } = loadingSchema.parse(JSON.parse(await firstLine(client)));
      if (congestion !== '-' && congestionControl !== congestion)
        throw new Error(`its sender runs ${congestionControl}`);
      return { traffic, transport: 'tcp', congestionControl, stop: () => end(client) };
    } catch (cause) {
      await end(client);
      const what = congestion === '-' ? traffic : `${traffic}@${congestion}`;
      throw new H2h3Error(
        'unsupported',
        `the traffic of the other client (${what}) did not start: ${messageOf(cause)}`,
        {
          next: 'Name a congestion control of this kernel: sysctl net.ipv4.tcp_available_congestion_control.',
          cause,
        },
      );
    }
  }

  /** @param words the program and its arguments */
  #start({ adminPrefix }: Namespace, words: readonly string[]): ChildProcess {
    const [program = '', ...args] = [...adminPrefix, ...pinPrefix(this.#options.cpus), ...words];
    // Its standard input stays open for as long as this process lives, and not longer.
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...guardedEnvironment(), ...this.#options.environment },
      detached: true,
    });
    child.stdin.on('error', () => undefined); // one that died is noticed by `alive`
    return child;
  }
}

/** Ends a program that does not heed its standard input when that ends; it is kept as 3, because a shell gives its background none. */
const untilInputEnds =
  'exec 3<&0; "$@" </dev/null & program=$!; { cat <&3 >/dev/null; kill $program; } 2>/dev/null & wait $program';

const endingWithInput = (words: readonly string[]): string[] => ['sh', '-c', untilInputEnds, 'sh', ...words];

const end = (child: ChildProcess): Promise<void> => endWithInput(child, endLimitMs);

/** What it says on standard error, which is read to its end. @returns its last words so far */
function lastWordsOf(child: ChildProcess): () => string {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)));
  return () => tailOf(stderr, 2) || 'it ended without a word';
}

/** Resolves when a program that says nothing has run for a while. @throws Error with its last words when it ended */
async function stayed(child: ChildProcess): Promise<void> {
  const lastWords = lastWordsOf(child);
  child.stdout?.resume();
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  await sleep(settleMs);
  if (failure !== undefined || !isRunning(child)) throw failure ?? new Error(lastWords());
}

/** @throws Error with its last words when it ends before it says anything */
async function firstLine(child: ChildProcess): Promise<string> {
  const lastWords = lastWordsOf(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), readyLimitMs);
  try {
    return await new Promise<string>((resolve, reject) => {
      if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('close', () => reject(new Error(lastWords())));
    });
  } finally {
    clearTimeout(timer);
  }
}
