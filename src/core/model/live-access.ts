import { z } from 'zod';
import { isSecretName, noSecretReason, type NamedSecret } from './secrets.ts';

/** Where a value comes from that stands nowhere else: `${NAME}`, a variable of the environment, or `${file:PATH}`. */
const reference = /\$\{(?:file:[^}]+|[A-Za-z_]\w*)\}/;
export const references = new RegExp(reference, 'g');

const fromElsewhere =
  'want the secret as ${NAME}, a variable of the environment, or as ${file:PATH}, in single quotes; a secret itself would stand in the plan';

/** Headers that tell nothing of who asks: their values may stand in a plan. */
const harmlessHeaders =
  /^(accept|accept-.*|cache-control|dnt|pragma|priority|save-data|sec-.*|upgrade-insecure-requests|user-agent)$/i;

const nameOf = (text: string, separator: string): string => text.slice(0, text.indexOf(separator)).trim();

const headerSchema = z
  .string()
  // What is wrong with it is said without it: it may be a secret.
  .regex(/^[\w!#$%&'*+.^`|~-]+:[^\r\n]+$/, 'want NAME: VALUE')
  .refine((text) => harmlessHeaders.test(nameOf(text, ':')) || reference.test(text), fromElsewhere);

const cookieSchema = z
  .string()
  .regex(/^[^\s;,=]+=[^\r\n;]+$/, 'want NAME=VALUE')
  .refine((text) => reference.test(text), fromElsewhere);

/** One reference to both, or a name, itself or referred to, and a password that is referred to. */
const login = /^(?:\$\{[^}]+\}|(?:[^:$]|\$\{[A-Za-z_]\w*\})+:[^:]*\$\{[^}]+\}.*)$/s;

const basicAuthSchema = z.string().refine((text) => login.test(text) && reference.test(text), fromElsewhere);

/** What opens a live address to its users, as people write it: references, never the secrets. */
export const accessOptionsShape = {
  /** `NAME: VALUE` each, sent to the page's own origin and to no other. */
  headers: z.array(headerSchema).optional(),
  /** `NAME=VALUE` each, of the page's host. */
  cookies: z.array(cookieSchema).optional(),
  /** `USER:PASSWORD`, sent as an `Authorization` header to the page's own origin. */
  basicAuth: basicAuthSchema.optional(),
  /** A file of cookies and local storage of the form that Playwright and its tools write. */
  storageState: z.string().min(1).optional(),
  /** A module whose default export logs in, before anything is measured. */
  login: z.string().min(1).optional(),
};

/** As Playwright's `storageState` has it; what it says besides is left alone. */
export const storageStateSchema = z.object({
  cookies: z
    .array(
      z.object({
        name: z.string(),
        value: z.string(),
        domain: z.string(),
        path: z.string(),
        /** Seconds since 1970; -1: until the browser ends. */
        expires: z.number().default(-1),
        httpOnly: z.boolean().default(false),
        secure: z.boolean().default(false),
        sameSite: z.enum(['Strict', 'Lax', 'None']).default('Lax'),
      }),
    )
    .default([]),
  origins: z
    .array(
      z.object({
        origin: z.string(),
        localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
      }),
    )
    .default([]),
});
type StorageState = z.infer<typeof storageStateSchema>;

/** A cookie as a browser takes it. */
export type StateCookie = StorageState['cookies'][number];

/** What a browser is given so that a live page opens: in memory and in pipes only, in no file. */
export interface LiveAccess {
  /** For the page's own origin. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Of the page's host. */
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  readonly state: StorageState;
  /** Texts that must not be written anywhere. */
  readonly secrets: readonly string[];
}

/** Shorter values of cookies and storage stand in many places that have nothing to do with them. */
const minStoredCharacters = 8;

/** Cookies and local storage that must not be written anywhere. @param shown what the plan itself shows */
export function storedSecrets({ cookies, origins }: LiveAccess['state'], shown: string): NamedSecret[] {
  return [
    ...cookies.map(({ name, value }) => ({ name: `cookie ${name}`, value })),
    ...origins.flatMap(({ localStorage }) =>
      localStorage.map(({ name, value }) => ({ name: `local storage ${name}`, value })),
    ),
  ].filter(({ value }) => isKeptSecret(value, shown));
}

function isKeptSecret(value: string, shown: string): boolean {
  return value.length >= minStoredCharacters && noSecretReason(value, shown) === undefined;
}

/** Cookies that seem to open something and are too short, or too usual, to be left out of what is written, by name. */
export function unkeptCookies({ cookies }: LiveAccess['state'], shown: string): string[] {
  const opens = cookies.filter(({ name, httpOnly }) => httpOnly || isSecretName(name));
  return opens.filter(({ value }) => value !== '' && !isKeptSecret(value, shown)).map(({ name }) => name);
}

const valuesOf = (secrets: readonly NamedSecret[]): string[] => secrets.map(({ value }) => value);

/** What was given, and what a script left in a browser besides. @param shown what the plan itself shows */
export function withLeftState(
  given: LiveAccess | undefined,
  left: Pick<LiveAccess, 'state' | 'secrets'>,
  shown: string,
): LiveAccess {
  const { headers = [], cookies = [], state, secrets = [] } = given ?? {};
  const asked = left.secrets.filter((secret) => noSecretReason(secret, shown) === undefined);
  return {
    headers,
    cookies,
    state: {
      cookies: [...(state?.cookies ?? []), ...left.state.cookies],
      origins: [...(state?.origins ?? []), ...left.state.origins],
    },
    secrets: [...new Set([...secrets, ...asked, ...valuesOf(storedSecrets(left.state, shown))])],
  };
}
