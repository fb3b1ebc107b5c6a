import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Beside } from '../../src/factors/beside.ts';
import { H2h3Error, messageOf } from '../../src/model/errors.ts';
import { pinPrefix } from '../../src/system/processes/cpu-affinity.ts';
import { guardedEnvironment } from '../../src/system/processes/process-guard.ts';
import { tailOf } from '../../src/system/run-program.ts';
import type { SetupContext } from '../tools/setup-context.ts';
import { hostScript, hostsFile, type LinkPlace } from './host-setup.ts';
import { makeNamespace, type Namespace } from './namespace.ts';
import type { NetworkStartOptions, RunningBeside } from './network.ts';
import type { PathEnds } from './path-ends.ts';
import type { Privilege } from './privilege.ts';

/** The far end's port; servers under test have others. */
const port = 8009;
const readyLimitMs = 10_000;
const endLimitMs = 3_000;
const loadingSchema = z.object({ congestionControl: z.string() });

/** Another client of an emulated path, in a namespace of its own, and what answers it at the far end. */
export class BesideClient {
  readonly namespace: Namespace;
  readonly #place: LinkPlace;
  readonly #program: string;
  readonly #options: NetworkStartOptions;

  private constructor(namespace: Namespace, place: LinkPlace, program: string, options: NetworkStartOptions) {
    this.namespace = namespace;
    this.#place = place;
    this.#program = program;
    this.#options = options;
  }

  /** Makes its namespace, which ends with the path; the emulator makes its device. @throws H2h3Error `unsupported` */
  static async open(
    ends: PathEnds,
    program: string,
    { privilege, context }: { readonly privilege: Privilege; readonly context: SetupContext },
    options: NetworkStartOptions,
  ): Promise<BesideClient> {
    const namespace = await makeNamespace(privilege, options.environment, context, ends.client);
    ends.add(namespace);
    return new BesideClient(namespace, ends.place, program, options);
  }

  get address(): string {
    return this.#place.besideAddress;
  }

  /** Makes its end ready and starts what answers it. @throws H2h3Error `process-failed` */
  async configure(ends: PathEnds): Promise<void> {
    const { deviceName, besideAddress, farAddress, spareAddress } = this.#place;
    const file = path.join(this.#options.workDir, 'hosts-beside');
    await writeFile(file, hostsFile([], farAddress));
    const script = hostScript({
      deviceName,
      address: besideAddress,
      peerAddress: farAddress,
      spare: { address: spareAddress, of: 'the peer' },
      hostsFile: file,
      tcpCongestionControl: this.#options.tcpCongestionControl,
      deviceCommands: [],
    });
    await this.namespace.script(script);
    await ends.server.script(
      `PATH="$PATH:/usr/sbin:/sbin"; ip route add ${besideAddress}/32 dev ${deviceName}`,
    );
    const server = this.#start(ends.server, ['serve', String(port)]);
    ends.add({ alive: () => isAlive(server), stop: () => end(server) });
    await firstLine(server);
  }

  /** Begins to load, until it is stopped. @throws H2h3Error `unsupported` for a congestion control that is not here */
  async load({ traffic, congestion = '-' }: Beside): Promise<RunningBeside> {
    const words = ['load', traffic, this.#place.farAddress, String(port), congestion];
    const client = this.#start(this.namespace, words);
    try {
      const { congestionControl } = loadingSchema.parse(JSON.parse(await firstLine(client)));
      if (congestion !== '-' && congestionControl !== congestion)
        throw new Error(`its sender runs ${congestionControl}`);
      return { traffic, congestionControl, stop: () => end(client) };
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

  #start({ adminPrefix }: Namespace, words: readonly string[]): ChildProcess {
    const [program = '', ...args] = [
      ...adminPrefix,
      ...pinPrefix(this.#options.cpus),
      this.#program,
      ...words,
    ];
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

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

async function end(child: ChildProcess): Promise<void> {
  if (!isAlive(child)) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), endLimitMs);
  await ended;
  clearTimeout(timer);
}

/** @throws Error with its last words when it ends before it says anything */
async function firstLine(child: ChildProcess): Promise<string> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-2000)));
  const timer = setTimeout(() => child.kill('SIGKILL'), readyLimitMs);
  try {
    return await new Promise<string>((resolve, reject) => {
      if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('close', () => reject(new Error(tailOf(stderr, 2) || 'it ended without a word')));
    });
  } finally {
    clearTimeout(timer);
  }
}
