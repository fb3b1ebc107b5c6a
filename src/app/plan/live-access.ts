import { H2h3Error } from '../../core/model/errors.ts';
import {
  references,
  storageStateSchema,
  storedSecrets,
  type LiveAccess,
} from '../../core/model/live-access.ts';
import { noSecretReason } from '../../core/model/secrets.ts';
import type { LiveOptions } from '../../core/model/live-address.ts';
import { readInput } from '../../core/system/read-input.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a browser is given to open live pages, with every reference read. Undefined where the plan asks for nothing.
 *
 * @param shown what the plan itself shows: its addresses
 * @throws H2h3Error `usage` naming the variable or file that gives no secret, or one that cannot be kept
 */
export function liveAccessOf(
  live: LiveOptions,
  environment: Environment,
  shown: readonly string[],
): LiveAccess | undefined {
  const { headers = [], cookies = [], basicAuth, storageState } = live;
  if (headers.length + cookies.length === 0 && basicAuth === undefined && storageState === undefined)
    return undefined;
  const secrets: string[] = [];
  const open = shown.join('\n');
  const read = (text: string): string =>
    text.replaceAll(references, (written) => {
      const value = referredTo(written.slice(2, -1), environment, 'a live address');
      secrets.push(keepable(value, written, open));
      return value;
    });
  const state = storageState === undefined ? { cookies: [], origins: [] } : readStorageState(storageState);
  const pairs = (texts: readonly string[], separator: string): { name: string; value: string }[] =>
    texts.map((text) => {
      const at = text.indexOf(separator);
      return { name: text.slice(0, at).trim(), value: read(text.slice(at + 1).trim()) };
    });
  const access = { headers: pairs(headers, ':'), cookies: pairs(cookies, '='), state };
  if (basicAuth !== undefined) {
    const login = readLogIn(basicAuth, environment);
    const encoded = Buffer.from(login).toString('base64');
    access.headers.push({ name: 'Authorization', value: `Basic ${encoded}` });
    secrets.push(
      keepable(login.slice(login.indexOf(':') + 1), 'the password of --basic-auth', open),
      encoded,
    );
  }
  return {
    ...access,
    secrets: [...new Set([...secrets, ...storedSecrets(state, open).map(({ value }) => value)])],
  };
}

/** @param what it is, without it @throws H2h3Error `usage` for one that cannot be left out of everything */
function keepable(secret: string, what: string, shown: string): string {
  const why = noSecretReason(secret, shown);
  if (why === undefined) return secret;
  throw new H2h3Error('usage', `${what} cannot be kept secret: it ${why}`, {
    next: 'Use an account with a longer one.',
  });
}

/**
 * The secret that a reference names: a variable of the environment, or the one line of a file.
 *
 * @throws H2h3Error `usage` naming variable or file, and what needs it
 */
export function referredTo(name: string, environment: Environment, neededBy: string): string {
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
  throw new H2h3Error('usage', `the variable ${name} is not set, and ${neededBy} needs what it holds`, {
    next: `Set it for this command: ${name}=… npx h2h3 …`,
  });
}

/** User and password, with what is referred to. A user name is no secret. */
function readLogIn(written: string, environment: Environment): string {
  const login = written.replaceAll(references, (reference) =>
    referredTo(reference.slice(2, -1), environment, '--basic-auth'),
  );
  if (login.includes(':')) return login;
  throw new H2h3Error('usage', '--basic-auth holds no password', {
    context: { expected: 'USER:PASSWORD' },
  });
}

/** @throws H2h3Error `bad-input` for a file that is none */
export function readStorageState(file: string): LiveAccess['state'] {
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
