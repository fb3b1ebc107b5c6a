import { H2h3Error } from '../../model/errors.ts';
import {
  references,
  storageStateSchema,
  storedSecrets,
  type LiveAccess,
  type StateCookie,
} from '../../model/live-access.ts';
import type { LiveOptions } from '../../model/live-address.ts';
import { readInput } from '../../system/read-input.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter texts stand in many places that have nothing to do with them. */
const shortestSecret = 4;

/**
 * What a browser is given to open live pages, with every reference read. Undefined where the plan asks for nothing.
 *
 * @throws H2h3Error `usage` naming the variable or file that gives no secret
 */
export function liveAccessOf(live: LiveOptions, environment: Environment): LiveAccess | undefined {
  const { headers = [], cookies = [], basicAuth, storageState } = live;
  if (headers.length + cookies.length === 0 && basicAuth === undefined && storageState === undefined)
    return undefined;
  const secrets: string[] = [];
  const read = (text: string): string =>
    text.replaceAll(references, (written) => {
      const value = referredTo(written.slice(2, -1), environment);
      secrets.push(value);
      return value;
    });
  const state = storageState === undefined ? { cookies: [], origins: [] } : readState(storageState);
  const pairs = (texts: readonly string[], separator: string): { name: string; value: string }[] =>
    texts.map((text) => {
      const at = text.indexOf(separator);
      return { name: text.slice(0, at).trim(), value: read(text.slice(at + 1).trim()) };
    });
  const access = { headers: pairs(headers, ':'), cookies: pairs(cookies, '='), state };
  if (basicAuth !== undefined) access.headers.push({ name: 'Authorization', value: basic(read(basicAuth)) });
  const kept = [
    ...secrets.filter(({ length }) => length >= shortestSecret),
    // The last header carries user and password in one.
    ...(basicAuth === undefined ? [] : [access.headers.at(-1)?.value.slice('Basic '.length) ?? '']),
    ...storedSecrets(state),
  ];
  return { ...access, secrets: [...new Set(kept)] };
}

function referredTo(name: string, environment: Environment): string {
  if (name.startsWith('file:')) {
    const file = name.slice('file:'.length);
    const text = readInput(file, { what: 'a secret', limitBytes: 64 * 1024 })
      .toString('utf8')
      .trim();
    if (text !== '' && !/[\r\n]/.test(text)) return text;
    throw new H2h3Error('usage', `${file} holds no secret`, { context: { expected: 'one line of text' } });
  }
  const value = environment[name];
  if (value !== undefined && value !== '' && !/[\r\n]/.test(value)) return value;
  throw new H2h3Error('usage', `the variable ${name} is not set, and a live address needs what it holds`, {
    next: `Set it for this command: ${name}=… npx h2h3 run …`,
  });
}

function basic(login: string): string {
  if (!login.includes(':'))
    throw new H2h3Error('usage', '--basic-auth holds no password', {
      context: { expected: 'USER:PASSWORD' },
    });
  return `Basic ${Buffer.from(login).toString('base64')}`;
}

function readState(file: string): { cookies: StateCookie[]; origins: LiveAccess['state']['origins'] } {
  const wrong = (why: string): H2h3Error =>
    new H2h3Error('bad-input', `${file} is no storage state: ${why}`, {
      next: "Playwright's `context.storageState({ path })` writes one.",
    });
  let json: unknown;
  try {
    json = JSON.parse(readInput(file, { what: 'a storage state' }).toString('utf8'));
  } catch (thrown) {
    // What JSON.parse says quotes the text, which is secret.
    throw thrown instanceof H2h3Error ? thrown : wrong('it is not JSON');
  }
  const parsed = storageStateSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw wrong(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}
