import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { H2h3Error } from '../../src/core/model/errors.ts';
import { withoutSecrets } from '../../src/core/model/secrets.ts';
import { withoutUserInformation } from '../../src/core/model/user-information.ts';
import { tailOf } from '../../src/core/system/run-program.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { noH2Reason, noH3Reason, type SpokenPlace } from './spoken-protocols.ts';
import { wireAddressOf } from '../../src/core/model/wire-address.ts';

const pollMs = 50;
const answerLimitMs = 5_000;

export interface ServerUnderTestRequest {
  /** For people: `the server under test`. */
  readonly name: string;
  /** What helps where it is never ready. Default: a place that tells, or more time. */
  readonly next?: string;
  /** As the user wrote it. */
  readonly command: string;
  /** Program and arguments. */
  readonly words: readonly string[];
  /** Asked until it answers, at this place. */
  readonly ready: SpokenPlace;
  /** Where its protocols are tried. */
  readonly speaks: SpokenPlace;
  readonly protocols: readonly ('h2' | 'h3')[];
  readonly limitMs: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Left out of what is told of its output. */
  readonly secrets: readonly string[];
  readonly logFile: string;
  readonly signal: AbortSignal;
}

/** A server that the user brought, running. */
export interface RunningServerUnderTest {
  /** @throws H2h3Error `process-failed` naming how it ended, when it does not run any more */
  requireAlive(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server by the user's command line and waits until it answers.
 *
 * @throws H2h3Error `usage` when something answers there already, `process-failed` when it ends or cannot be started,
 * `deadline` when it is not ready in time, `bad-input` when it does not speak what it is said to speak
 */
export async function startServerUnderTest(request: ServerUnderTestRequest): Promise<RunningServerUnderTest> {
  const { name, ready, words, environment, logFile } = request;
  if ((await statusOf(ready)) !== null)
    throw new H2h3Error(
      'usage',
      `something answers at ${ready.url.host} before ${name} is started, and would be measured in its place`,
      { next: 'End it, or leave out the command of the server.' },
    );
  const server = await startServerProcess({
    name,
    command: words,
    environment,
    logFile,
  });
  try {
    await untilReady(server, request);
    await requireProtocols(server, request);
  } catch (thrown) {
    await server.stop();
    throw thrown;
  }
  return {
    requireAlive: async () => {
      if (!server.alive()) throw await deathOf(server, request, 'while the run needed it');
    },
    stop: () => server.stop(),
  };
}

/** A server that dies may say all that it knows. What is secret is left out first: of what the last lines cut, nobody would know the rest. */
async function lastLines(server: ServerProcess, { secrets }: ServerUnderTestRequest): Promise<string> {
  return withoutUserInformation(tailOf(withoutSecrets(await server.log(), secrets)));
}

async function deathOf(
  server: ServerProcess,
  request: ServerUnderTestRequest,
  when: string,
): Promise<H2h3Error> {
  return new H2h3Error('process-failed', `${request.name} ended (${server.endedBy()}) ${when}`, {
    context: { command: request.command, stderrTail: await lastLines(server, request) },
    next: 'Run the command by itself and look at what it says; it must stay in the foreground.',
  });
}

async function untilReady(server: ServerProcess, request: ServerUnderTestRequest): Promise<void> {
  const { name, next, ready, limitMs, signal, command } = request;
  const deadlineMs = performance.now() + limitMs;
  let status: number | null = null;
  while (performance.now() < deadlineMs) {
    if (signal.aborted) throw new H2h3Error('interrupted', `interrupted while ${name} started`);
    if (!server.alive()) throw await deathOf(server, request, 'before it was ready');
    status = await statusOf(ready);
    if (status !== null && status < 500) return;
    await sleep(pollMs);
  }
  const last = status === null ? 'nothing answers' : `status ${status}`;
  throw new H2h3Error(
    'deadline',
    `${name} was not ready within ${limitMs / 1000} s: ${last} at ${ready.url.href}`,
    {
      context: { command, stderrTail: await lastLines(server, request) },
      next:
        next ?? 'Name the address that tells when it is ready, or give it more time (readyWithinSeconds).',
    },
  );
}

/** Null while no server answers. */
function statusOf({ url, host, port }: ServerUnderTestRequest['ready']): Promise<number | null> {
  return new Promise((resolve) => {
    const options = { host, port, path: wireAddressOf(url).path, agent: false, timeout: answerLimitMs };
    const headers = { host: url.host, 'user-agent': 'h2h3' };
    const request =
      url.protocol === 'http:'
        ? http.request({ ...options, headers })
        : // Whose certificate it is, is judged when the address itself is asked.
          https.request({ ...options, headers, servername: url.hostname, rejectUnauthorized: false });
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(null));
    request.end();
  });
}

async function requireProtocols(server: ServerProcess, request: ServerUnderTestRequest): Promise<void> {
  const { protocols, speaks } = request;
  for (const protocol of protocols) {
    const why = protocol === 'h2' ? await noH2Reason(speaks) : await noH3Reason(speaks);
    if (why === null) continue;
    if (!server.alive()) throw await deathOf(server, request, 'as soon as it was ready');
    throw new H2h3Error('bad-input', `${request.name} does not speak ${protocol}: ${why}`, {
      context: { stderrTail: await lastLines(server, request) },
      next: `Switch ${protocol} on in it, or say what it speaks (protocol) and leave the arm ${protocol} out.`,
    });
  }
}
