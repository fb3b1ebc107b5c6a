import { spawn } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';

const startTimeoutMs = 30_000;
const stopTimeoutMs = 2_000;
const pollMs = 25;
const tailBytes = 4_000;

export interface ProxyOptions {
  /** Program and first arguments. */
  readonly mitmdump: readonly string[];
  readonly port: number;
  /** Holds the certificate authority; flows and bodies are written here. */
  readonly directory: string;
  /** Accept any certificate of the recorded servers. */
  readonly insecureUpstream: boolean;
  /** All certificates in PEM that are trusted to vouch for them. Default: the public ones. */
  readonly authorities?: readonly string[] | undefined;
  /** Put in front of the scripts of workers as the browser gets them; what is recorded stays as it was sent. */
  readonly workerScript?: string;
  /** `HOST:PORT:TOHOST:TOPORT`, as curl's `--connect-to` takes them. */
  readonly connectTo: readonly string[];
  /** The addresses that are recorded: pages of other origins are kept from this machine and its network. */
  readonly urls: readonly string[];
  /** Variables that it gets besides this process's own. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A step of a request of a page or of one of its workers. */
export interface ProxyActivity {
  readonly step: 'sent' | 'answered' | 'data' | 'ended';
  readonly id: string;
  /** Of what was sent: method, address and hash of the body. */
  readonly key?: string;
  /** Of what was sent: whether it asks for a stream of events. */
  readonly stream?: boolean;
}

export interface RunningProxy {
  /** What has gone on since the last call. */
  readonly activity: () => Promise<readonly ProxyActivity[]>;
  /** Ends it and waits until everything is written. */
  stop(): Promise<void>;
}

/** Starts mitmdump with the project's add-on. @throws H2h3Error `process-failed` with its last lines, `unsupported` if there is none. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const addon = join(import.meta.dirname, 'mitmproxy_addon.py');
  const settings = [
    `confdir=${options.directory}`,
    `ssl_insecure=${options.insecureUpstream}`,
    ...(await authoritySettings(options)),
  ];
  const args = ['-q', '-s', addon, '--listen-host', '127.0.0.1', '--listen-port', String(options.port)];
  const [program = 'mitmdump', ...before] = options.mitmdump;
  const scriptFile = join(options.directory, 'worker-script.js');
  if (options.workerScript !== undefined) await writeFile(scriptFile, `${options.workerScript}\n`);
  const child = spawn(program, [...before, ...args, ...settings.flatMap((setting) => ['--set', setting])], {
    env: {
      ...process.env,
      ...options.environment,
      // Nothing is written where the add-on lies.
      PYTHONDONTWRITEBYTECODE: '1',
      H2H3_STARTS: options.urls.map(hostAndPort).join('\n'),
      H2H3_RECORD_DIR: options.directory,
      H2H3_CONNECT_TO: options.connectTo.join(' '),
      H2H3_WORKER_SCRIPT: options.workerScript === undefined ? '' : scriptFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-tailBytes)));
  }
  let failure: unknown;
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (cause) => {
      failure = cause;
      resolve();
    });
  });
  let isRunning = true;
  void ended.then(() => (isRunning = false));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    // Each exchange is written when it ends, and the browser has ended all; what is left are connections to servers.
    const timeoutMs = options.signal.aborted ? 0 : stopTimeoutMs;
    const killed = wait(timeoutMs, undefined, { ref: false }).then(() => child.kill('SIGKILL'));
    await Promise.race([ended, killed]);
    await ended;
  };
  const giveUpAt = performance.now() + startTimeoutMs;
  while (isRunning && performance.now() < giveUpAt && !options.signal.aborted) {
    if (await answers(options.port)) {
      return { activity: activityIn(options.directory), stop };
    }
    await wait(pollMs);
  }
  await stop();
  throw startFailure(options, output, failure);
}

async function authoritySettings({ authorities, directory }: ProxyOptions): Promise<string[]> {
  if (authorities === undefined) return [];
  const file = join(directory, 'authorities.pem');
  await writeFile(file, authorities.join('\n'));
  return [`ssl_verify_upstream_trusted_ca=${file}`];
}

/** As the add-on reads it; of an IPv6 address without brackets. */
function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname.replace(/^\[|\]$/g, '')} ${port || (protocol === 'http:' ? '80' : '443')}`;
}

/** Reads on from where the last call ended; a line that is still being written comes with the next. */
function activityIn(directory: string): RunningProxy['activity'] {
  let readBytes = 0;
  return async () => {
    const file = await open(join(directory, 'activity'));
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(size - readBytes), 0, size - readBytes, readBytes);
      const whole = buffer.subarray(0, buffer.lastIndexOf('\n') + 1);
      readBytes += whole.length;
      const lines = whole.toString('utf8').split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as ProxyActivity);
    } finally {
      await file.close();
    }
  };
}

function startFailure(options: ProxyOptions, output: string, cause: unknown): H2h3Error {
  if (options.signal.aborted) return new H2h3Error('interrupted', 'Recording was interrupted');
  if (hasErrno(cause, 'ENOENT')) {
    return new H2h3Error('unsupported', `There is no mitmdump at ${options.mitmdump[0]}`, {
      cause,
      next: 'Install mitmproxy (https://mitmproxy.org) and put mitmdump on PATH.',
    });
  }
  return new H2h3Error('process-failed', 'mitmdump did not start', {
    cause,
    context: { stderrTail: output.trim(), got: `port ${options.port} did not answer` },
    next: 'See its last lines above; another program may hold the port.',
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}
