import { unescape } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { renderMessage } from '../../../reports/notify/render-message.ts';
import { H2h3Error, messageOf } from '../../core/model/errors.ts';
import { withoutSecrets } from '../../core/model/secrets.ts';
import type { Notification, NotifyTarget } from '../../core/model/notification.ts';
import { runProgram } from '../../core/system/run-program.ts';
import { addressFrom } from '../plan/given-address.ts';

/** Tries of a webhook, and the pause after the first; each further pause is four times as long. */
const tries = 4;
const firstPauseMs = 2_000;
const answerLimitMs = 15_000;
const commandLimitMs = 60_000;

export interface NotifyContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  /** Waits between two tries; given in tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Tells everybody whom a night's outcome concerns, each once. Who cannot be reached costs the night nothing: the reason is
 * said, without the address, which is as secret as a password.
 */
export async function notify(
  notification: Notification,
  targets: readonly NotifyTarget[],
  context: NotifyContext,
): Promise<void> {
  for (const [index, target] of targets.entries()) {
    if (target.when !== undefined && !target.when.includes(notification.outcome)) continue;
    const name = `notify[${index}]`;
    try {
      await ('webhook' in target ? post(target, notification, context) : pipe(target.command, notification));
      context.say(`${name}: told`);
    } catch (thrown) {
      context.say(`${name}: not told: ${messageOf(thrown)}`);
    }
  }
}

type Webhook = Extract<NotifyTarget, { webhook: string }>;

async function post(
  { webhook, format }: Webhook,
  notification: Notification,
  { environment, pause = sleep }: NotifyContext,
): Promise<void> {
  const address = addressOfHttp('the webhook', addressFrom('the webhook', webhook, environment));
  const body = renderMessage(notification, format);
  for (let attempt = 1, pauseMs = firstPauseMs; ; attempt++, pauseMs *= 4) {
    const refusal = await posted(address, body);
    if (refusal === null) return;
    if (!refusal.mayPass || attempt === tries)
      throw new H2h3Error('process-failed', `${refusal.reason}, tried ${attempt} times`);
    await pause(pauseMs);
  }
}

interface Refusal {
  readonly reason: string;
  /** Whether another try may end otherwise. */
  readonly mayPass: boolean;
}

/** An address without user name and password, which `fetch` refuses, and the header that has them (RFC 7617). */
function withLogIn(address: string): { url: URL; headers: Readonly<Record<string, string>> } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers: {} };
  url.username = '';
  url.password = '';
  const login = Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64');
  return { url, headers: { authorization: `Basic ${login}` } };
}

/** Null when the message was taken. */
async function posted(address: string, body: string): Promise<Refusal | null> {
  const { url, headers } = withLogIn(address);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(answerLimitMs),
    });
    await answer.body?.cancel();
    if (answer.ok) return null;
    return {
      reason: `the webhook answered ${answer.status}`,
      mayPass: answer.status === 429 || answer.status >= 500,
    };
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    return { reason: withoutSecrets(messageOf(cause), [address, url.href, url.host]), mayPass: true };
  }
}

/** @throws H2h3Error `usage` without repeating it */
export function addressOfHttp(what: string, address: string): string {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new H2h3Error('usage', `${what} is no address of http or https`);
}

async function pipe([program = '', ...args]: readonly string[], notification: Notification): Promise<void> {
  const { exitCode } = await runProgram(program, args, {
    timeoutMs: commandLimitMs,
    input: JSON.stringify(notification),
  });
  if (exitCode !== 0) throw new H2h3Error('process-failed', `${program} ended with exit code ${exitCode}`);
}
