import { spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { H2h3Error, hasErrno } from '../../src/model/errors.ts';

const startPatienceMs = 30_000;
const stopPatienceMs = 10_000;
const tailBytes = 4_000;

export interface ProxyOptions {
  /** Program and first arguments. */
  readonly mitmdump: readonly string[];
  readonly port: number;
  /** Flows, bodies and the proxy's own certificates are written here. */
  readonly directory: string;
  /** Accept any certificate of the recorded servers. */
  readonly insecureUpstream: boolean;
  /** `HOST:PORT:TOHOST:TOPORT`, as curl's `--connect-to` takes them. */
  readonly connectTo: readonly string[];
  readonly signal: AbortSignal;
}

export interface ProxyActivity {
  readonly seen: number;
  readonly underWay: number;
}

export interface RunningProxy {
  /** Base64 of the SHA-256 of its certificate authority's public key. */
  readonly spkiHash: string;
  /** Requests of pages and their workers: how many the proxy has seen, and how many of them are under way. */
  readonly activity: () => Promise<ProxyActivity>;
  /** Ends it and waits until everything is written. */
  stop(): Promise<void>;
}

/** Starts mitmdump with the project's add-on. @throws H2h3Error `process-failed` with its last lines, `unsupported` if there is none. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const addon = join(import.meta.dirname, 'mitmproxy_addon.py');
  const settings = [`confdir=${options.directory}`, `ssl_insecure=${options.insecureUpstream}`];
  const args = ['-q', '-s', addon, '--listen-host', '127.0.0.1', '--listen-port', String(options.port)];
  const [program = 'mitmdump', ...before] = options.mitmdump;
  const child = spawn(program, [...before, ...args, ...settings.flatMap((setting) => ['--set', setting])], {
    env: { ...process.env, H2H3_RECORD_DIR: options.directory, H2H3_CONNECT_TO: options.connectTo.join(' ') },
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
    // It ends when its connections have; of an interrupted recording nothing is kept, so nothing is waited for.
    const patienceMs = options.signal.aborted ? 0 : stopPatienceMs;
    await Promise.race([ended, wait(patienceMs).then(() => child.kill('SIGKILL'))]);
    await ended;
  };
  const giveUpAt = performance.now() + startPatienceMs;
  while (isRunning && performance.now() < giveUpAt && !options.signal.aborted) {
    if (await answers(options.port)) {
      const activity = (): Promise<ProxyActivity> => activityIn(options.directory);
      return { spkiHash: await spkiOf(options.directory), activity, stop };
    }
    await wait(100);
  }
  await stop();
  throw startFailure(options, output, failure);
}

async function activityIn(directory: string): Promise<ProxyActivity> {
  const marks = await readFile(join(directory, 'activity'), 'latin1');
  const seen = marks.split('+').length - 1;
  return { seen, underWay: 2 * seen - marks.length };
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

async function spkiOf(directory: string): Promise<string> {
  const certificate = new X509Certificate(await readFile(join(directory, 'mitmproxy-ca-cert.pem')));
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}
