import { SecretSearch } from './secret-search.ts';

/** Names, without case and separators, that end so are of credentials. */
const credential =
  /(?:passw(?:or)?d|passphrase|passcode|(?<!by)pass|pwd|secret|token|(?:api|access|secret|private|auth|signing|encryption)key|credentials?|authorization|jwt)$/i;

/** Variables that are called so hold keys; parameters and options may be keys of something else. */
const keyVariable = /key$/i;

/** Of every shell: the folder that it is in, and was in. */
const folders = /^(?:OLD)?PWD$/;

/** Whether a variable, parameter or header of this name holds a credential. */
export function isSecretName(name: string): boolean {
  return !folders.test(name) && credential.test(name.replaceAll(/[-_.]/g, ''));
}

/** Shorter texts stand in many places that have nothing to do with them. */
export const minSecretCharacters = 6;

/** What stands in the evidence of every page, logged in or not. */
const usualWords =
  'https://www. http://localhost http/1.1 text/html; charset=utf-8 text/css text/javascript application/javascript application/json image/svg+xml image/jpeg font/woff2 accept-encoding accept-language content-encoding content-length content-type cache-control last-modified set-cookie user-agent keep-alive no-cache no-store max-age same-origin cross-origin stylesheet document navigation response request undefined default standard chromium firefox completed deadline evidence websocket webtransport';

/** Stands in the place of a secret. Addresses may have it as it is, so that what is compared by address stays alike. */
export const noSecret = '(left-out-by-h2h3)';

/**
 * Why a text cannot be kept secret; undefined where it can. To leave it out everywhere would spoil what was measured.
 *
 * @param shown what the plan itself shows, such as its addresses
 */
export function noSecretReason(text: string, shown = ''): string | undefined {
  if (text.length < minSecretCharacters)
    return `has ${text.length} characters; one of fewer than ${minSecretCharacters} stands in many places by chance, and could be left out only with what was measured`;
  if (usualWords.includes(text.toLowerCase()))
    return 'is a word that stands in the evidence of every page, and could be left out only with what was measured';
  if (noSecret.includes(text.toLowerCase())) return 'is part of what stands in the place of secrets';
  const isShown = new SecretSearch([text]).in(shown).next().done !== true;
  return isShown ? 'stands in an address of the plan, which everybody sees' : undefined;
}

const lineEnd = /\r?\n/;
const beyondAscii = /[^ -~]+/;

/**
 * A secret, and what of it is shown alone: of several lines, such as a key in PEM, each line; of letters beyond ASCII what
 * stands between them, because a reader with another encoding garbles the rest.
 */
function partsOf(secret: string): string[] {
  const parts = [...secret.split(lineEnd), ...secret.split(beyondAscii)];
  return [...new Set([secret, ...parts.filter((part) => noSecretReason(part) === undefined)])];
}

/** A text without what was found in it. */
function without(text: string, search: SecretSearch): string {
  const places = [...search.in(text)].toSorted((a, b) => a.start - b.start);
  const parts: string[] = [];
  let end = 0;
  for (const [index, place] of places.entries()) {
    // What overlaps is left out together, so that the end of one secret is not left behind another.
    if (index === 0 || place.start > end) parts.push(text.slice(end, place.start), noSecret);
    end = Math.max(end, place.end);
  }
  return places.length === 0 ? text : parts.join('') + text.slice(end);
}

const searchFor = (secrets: readonly string[]): SecretSearch =>
  new SecretSearch([...new Set(secrets.flatMap(partsOf))]);

/** The text without any of the secrets, whichever way they are written in it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return without(text, searchFor(secrets));
}

/** A list or a record with each of its parts changed; itself where none was. */
export function withParts(whole: object, change: (part: unknown) => unknown): unknown {
  const before: unknown[] = Object.values(whole);
  const after = before.map(change);
  if (after.every((part, index) => part === before[index])) return whole;
  if (Array.isArray(whole)) return after;
  return Object.fromEntries(Object.keys(whole).map((name, index) => [name, after[index]]));
}

/** Makes the same value with every text in it cleaned; names of fields, numbers and structure stay. */
export function cleanerOf(secrets: readonly string[]): <T>(value: T) => T {
  if (secrets.length === 0) return (value) => value;
  const search = searchFor(secrets);
  const cleaned = (part: unknown): unknown => {
    if (typeof part === 'string') return without(part, search);
    return typeof part === 'object' && part !== null ? withParts(part, cleaned) : part;
  };
  return <T>(value: T) => cleaned(value) as T;
}

/** The same for one value. */
export function valueWithoutSecrets<T>(value: T, secrets: readonly string[]): T {
  return cleanerOf(secrets)(value);
}

/** A secret, and what may be said of it. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Names of those secrets that are in a text, in whichever form: as a function, for many texts. */
export function secretsNamedIn(secrets: readonly NamedSecret[]): (text: string) => ReadonlySet<string> {
  const each = secrets.flatMap(({ name, value }) => partsOf(value).map((part) => ({ name, part })));
  const search = new SecretSearch(each.map(({ part }) => part));
  return (text) => new Set([...search.in(text)].map(({ secret }) => each[secret]?.name ?? ''));
}

/**
 * Variables whose values must not be in what a program says: those whose names are of credentials, and those that a text, such
 * as its command or script, names.
 */
export function secretVariables(
  environment: Readonly<Record<string, string | undefined>>,
  text: string,
): NamedSecret[] {
  const named = new Set(text.match(/[A-Za-z_]\w+/g));
  return Object.entries(environment)
    .map(([name, value = '']) => ({ name, value }))
    .filter(({ name }) => isSecretName(name) || keyVariable.test(name) || named.has(name))
    .filter(({ value }) => noSecretReason(value) === undefined);
}

/** Their values, each once. */
export function secretsOfEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  text: string,
): string[] {
  return [...new Set(secretVariables(environment, text).map(({ value }) => value))];
}
