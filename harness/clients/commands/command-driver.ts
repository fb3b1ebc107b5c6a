import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { shellWord } from '../../../src/core/model/command-words.ts';
import { H2h3Error, messageOf } from '../../../src/core/model/errors.ts';
import type { DownloadSession, Session, UploadSession } from '../../../src/core/model/session.ts';
import { killTree } from '../../../src/core/system/processes/kill-tree.ts';
import { tailOf } from '../../../src/core/system/run-program.ts';
import { within } from '../browsers/deadline.ts';
import {
  nameServiceOf,
  type ClientDriver,
  type ClientLaunchOptions,
  type ClientSession,
  type Load,
  type Loaded,
} from '../client-driver.ts';
import { beginAgainTransfers, beginAgainWords, beginsAgain } from './begin-again.ts';
import type { CommandClient, CommandRequest, CommandTransfer } from './command-client.ts';
import { harOfTransfers } from './har-of-transfers.ts';
import { clientEnvironment } from '../../../src/core/system/processes/trial-environment.ts';

/** The same for several processes at once, each of which writes into a file of its own; the first exit code that is not 0 counts. */
function manyHolder(
  commands: readonly { readonly words: readonly string[]; readonly file: string }[],
): string {
  const begin = commands.map(
    ({ words, file }) =>
      `${words.map(shellWord).join(' ')} 0</dev/null >${shellWord(file)} & pids="$pids $!"`,
  );
  const wait = 'for pid in $pids; do wait $pid; last=$?; [ $code -ne 0 ] || code=$last; done';
  return [
    'read -r go || exit 0',
    'code=0; pids=""',
    ...begin,
    wait,
    'printf "\\nexit %s\\n" $code',
    'read -r end',
  ].join('\n');
}

/**
 * Waits for a line, runs the client, tells its exit code behind what it wrote, and stays until its input ends: so that
 * there is a process to be confined to its CPUs before the measurement, and one that accounts for the client after it.
 */
const holder = 'read -r go || exit 0; "$@" 0</dev/null; printf "\\nexit %s\\n" $?; read -r end';
const exitLine = /\nexit (\d+)\n$/;

const protocolWords = { h1: 'HTTP/1.1', h2: 'HTTP/2', h3: 'HTTP/3', auto: 'its own choice of protocol' };

/** How a command-line client is used: it makes the requests that the workload names, and throws the bodies away. */
export function commandDriver(client: CommandClient): ClientDriver {
  return {
    applies: ['flags', 'cpu', 'udp', 'processes', ...(client.applies ?? [])],
    stack: client.stack,
    flagForm: { pattern: /^-/, example: '--tls13-ciphers=TLS_AES_128_GCM_SHA256' },
    refusal: ({ name, version, protocols = [], quicLibrary = '' }, workload, protocol, firstHop) => {
      if (workload.kind === 'upload' && client.uploads !== true)
        return `${name} as h2h3 uses it sends no bodies: it cannot do the work of ${workload.id}`;
      if (workload.kind !== 'download' && workload.kind !== 'upload')
        return `${name} makes requests and has no page: it cannot do the work of ${workload.id}`;
      if (client.onlyOneRequest === true && (workload.requests?.length ?? 1) > 1)
        return `${name} tells nothing of single requests, and ${workload.id} makes several`;
      if (workload.view === 'repeat') return `${name} keeps no cache: it has no second visits`;
      const unanswered = client.unansweredBy?.find(
        ({ library, fronts }) =>
          protocol === 'h3' && quicLibrary.startsWith(library) && fronts.includes(firstHop?.front ?? ''),
      );
      if (unanswered !== undefined) return unanswered.reason;
      if (protocol === 'auto' || protocols.includes(protocol)) return undefined;
      const isFetched = client.tool?.protocols?.includes(protocol) === true;
      const next = isFetched ? '; `npx h2h3 setup --system` fetches a build that does' : '';
      return `${name} ${version} speaks no ${protocolWords[protocol]} here${next}`;
    },
    start: (options) => Promise.resolve(new CommandSession(client, options)),
  };
}

/** What the command lines begin with of those that start the client and account for it. */
const holders = ['/bin/sh', process.execPath];

/** What one of several processes writes, in its folder. */
const outputFile = 'stdout';

/** The request of one process among several, with a folder of its own. */
function alone(request: CommandRequest, url: string, index: number): CommandRequest {
  const scratchDir = path.join(request.scratchDir, `process-${index}`);
  mkdirSync(scratchDir, { recursive: true });
  return { ...request, urls: [url], scratchDir };
}

/** What sessions tell of a transfer, whichever way its body went. */
function courseOf({ endMs, ...transfer }: CommandTransfer) {
  const { url, protocol, requestStartMs, connectStartMs, connectEndMs, responseStartMs } = transfer;
  return {
    url,
    protocol,
    requestStartMs,
    connectStartMs,
    connectEndMs,
    responseStartMs,
    responseEndMs: endMs,
  };
}

function uploadOf(transfer: CommandTransfer): UploadSession['uploads'][number] {
  const { sentBytes = 0, bodyBytes } = transfer;
  return { ...courseOf(transfer), sentBytes, answerBytes: bodyBytes };
}

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
}

/** Where programs that can log their QUIC connections do so (quic-go and aioquic read `QLOGDIR`); the folder must be there. */
function qlogFolder(folder: string | undefined): Record<string, string> {
  if (folder === undefined) return {};
  mkdirSync(folder, { recursive: true });
  return { QLOGDIR: folder };
}

class CommandSession implements ClientSession {
  readonly name: string;
  readonly version: string;
  readonly rootPid: number;
  readonly #client: CommandClient;
  readonly #options: ClientLaunchOptions;
  /** One a process. */
  readonly #requests: readonly CommandRequest[];
  readonly #child: ChildProcessWithoutNullStreams;
  #stdout = '';
  #stderr = '';
  #startedEpochMs = 0;
  #transfers: readonly CommandTransfer[] = [];
  #contest: DownloadSession['contest'];

  constructor(client: CommandClient, options: ClientLaunchOptions) {
    this.#client = client;
    this.#options = options;
    this.name = options.client.name;
    this.version = options.client.version;
    const { protocol, server, spkiHash, requests } = options;
    const { flags = [], ...factors } = options.factors ?? {};
    const limitSeconds = (requests?.limitMs ?? 0) / 1000;
    const urls = requests?.urls ?? [];
    const scratchDir = options.profileDir;
    const nameService = nameServiceOf(options);
    const asked = {
      protocol,
      urls,
      server,
      spkiHash,
      flags,
      factors,
      limitSeconds,
      scratchDir,
      ...(nameService === undefined ? {} : { nameService }),
    };
    const request = requests?.body === undefined ? asked : { ...asked, body: requests.body };
    this.#requests =
      factors.processes === 'each' ? urls.map((url, index) => alone(request, url, index)) : [request];
    for (const each of this.#requests)
      for (const [name, text] of Object.entries(client.files?.(each) ?? {}))
        writeFileSync(path.join(each.scratchDir, name), text);
    const [program = '', ...words] = this.#commandLine();
    this.#child = spawn(program, words, {
      stdio: 'pipe',
      env: {
        ...clientEnvironment(),
        // Read by the TLS libraries themselves, or by the programs around them, if at all.
        ...(options.logs?.keys === undefined ? {} : { SSLKEYLOGFILE: options.logs.keys }),
        ...qlogFolder(options.logs?.qlog),
        ...options.client.environment,
        ...client.environment?.(request),
      },
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    // Writing to a client that is gone is told by its end.
    this.#child.stdin.on('error', () => undefined);
    if (this.#child.pid === undefined)
      throw new H2h3Error('process-failed', `${this.name} did not start: there is no ${program}`);
    this.rootPid = this.#child.pid;
  }

  #commandLine(): string[] {
    const [request] = this.#requests;
    return request !== undefined && beginsAgain(this.#client, request)
      ? beginAgainWords(this.#client, this.#options.client.executablePath, request)
      : ['/bin/sh', ...this.#shellArguments()];
  }

  #shellArguments(): string[] {
    const commands = this.#requests.map((request) => ({
      words: [this.#options.client.executablePath, ...this.#client.arguments(request)],
      file: path.join(request.scratchDir, outputFile),
    }));
    const [only] = commands;
    return this.#options.factors?.processes === undefined && only !== undefined
      ? ['-c', holder, 'sh', ...only.words]
      : ['-c', manyHolder(commands)];
  }

  #writtenOf({ scratchDir }: CommandRequest, stdout: string): string {
    return this.#options.factors?.processes === undefined
      ? stdout
      : readFileSync(path.join(scratchDir, outputFile), 'utf8');
  }

  processRole(commandLine: string | null): string {
    return commandLine !== null && holders.some((holder) => commandLine.startsWith(holder))
      ? 'launcher'
      : 'network';
  }

  stderrTail(): string {
    return tailOf(this.#stderr);
  }

  startRecording(): Promise<void> {
    return Promise.resolve();
  }

  async load({ leftMs, keep }: Load): Promise<Loaded> {
    const ended = this.#end();
    this.#startedEpochMs = Date.now();
    const started = performance.now();
    this.#child.stdin.write('go\n');
    const { exitCode, stdout } = await within(ended, leftMs(), `the transfers of ${this.name}`);
    const elapsedMs = performance.now() - started;
    try {
      this.#transfers = this.#requests.flatMap((request) =>
        beginsAgain(this.#client, request)
          ? beginAgainTransfers(this.#client, stdout, request)
          : this.#client.transfers(this.#writtenOf(request, stdout), request, elapsedMs),
      );
      this.#contest = this.#client.contest?.(stdout);
    } catch (thrown) {
      throw this.#failure(`what ${this.name} wrote cannot be read: ${messageOf(thrown)}`);
    }
    const session = this.#session();
    const failed = this.#transfers
      .map((transfer) => this.#errorOf(transfer))
      .find((error) => error !== undefined);
    const gaveUp = exitCode === this.#client.timeLimitExitCode;
    if (exitCode === 0 && failed === undefined) return { session, warnings: [] };
    keep(session);
    if (gaveUp) throw new H2h3Error('deadline', `${this.name} reached its time limit`);
    throw this.#failure(failed ?? `${this.name} ended with exit code ${exitCode}`);
  }

  /** Resolves when the client, not its holder, has ended. @throws H2h3Error `process-failed` when the holder is gone */
  #end(): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = exitLine.exec(this.#stdout);
        if (found !== null)
          resolve({ exitCode: Number(found[1]), stdout: this.#stdout.slice(0, found.index) });
      };
      this.#child.stdout.on('data', look);
      this.#child.once('close', () => reject(this.#failure(`${this.name} was killed`)));
    });
  }

  #failure(message: string): H2h3Error {
    return new H2h3Error('process-failed', message, { context: { stderrTail: this.stderrTail() } });
  }

  /** Why a transfer failed; an upload that is not taken has an answer all the same. */
  #errorOf({ error, status }: CommandTransfer): string | undefined {
    const isTaken = this.#options.requests?.body === undefined || (status >= 200 && status < 300);
    return error ?? (isTaken ? undefined : `the upload was answered with status ${status}`);
  }

  #session(): Session {
    const timeOriginEpochMs = this.#startedEpochMs;
    const errors = this.#transfers.flatMap((transfer) => {
      const error = this.#errorOf(transfer);
      return error === undefined ? [] : [`${transfer.url}: ${error}`];
    });
    return this.#options.requests?.body === undefined
      ? this.#downloads({ timeOriginEpochMs, errors })
      : { kind: 'upload', timeOriginEpochMs, uploads: this.#transfers.map(uploadOf), errors };
  }

  #downloads(about: Pick<DownloadSession, 'timeOriginEpochMs' | 'errors'>): DownloadSession {
    return {
      kind: 'download',
      ...about,
      expectedBytes: this.#options.requests?.bodyBytes ?? 0,
      streams: this.#transfers.map((transfer) => ({
        ...courseOf(transfer),
        bytes: transfer.bodyBytes,
        lastByteReadMs: transfer.endMs,
        ...(transfer.handover === undefined ? {} : { handover: transfer.handover }),
        ...(transfer.resumption === undefined ? {} : { resumption: transfer.resumption }),
      })),
      ...(this.#contest === undefined ? {} : { contest: this.#contest }),
    };
  }

  stopRecording(): ReturnType<ClientSession['stopRecording']> {
    const { name, version } = this;
    const method = this.#options.requests?.body === undefined ? ('GET' as const) : ('POST' as const);
    const about = { name, version, method, startedEpochMs: this.#startedEpochMs, transfers: this.#transfers };
    return Promise.resolve({
      timings: null,
      frames: null,
      warnings: [],
      buildHar: () => Promise.resolve(harOfTransfers(about)),
    });
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    await killTree(this.rootPid);
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
  }
}
