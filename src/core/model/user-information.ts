/**
 * User name and password of an address (RFC 3986, 3.2.1), what comes between `//` and `@`, also of one that is escaped because it is a
 * parameter of another.
 */
const plain = /(:\/\/)([^\s/?#'"`\\]+)@/g;
const escaped = /(%3A%2F%2F)((?:(?!%2F|%3F|%23)[^\s/?#'"`\\])+)(?:@|%40)/gi;

/** Names where it comes from and holds none of it. */
const isReference = (text: string): boolean => /^:?(?:\$\{[^}]*\}:?)+$/.test(text);

/**
 * A text in which no address has a user name or a password: documents, messages and command lines hold none. References such as
 * `${NAME}` stay.
 */
export function withoutUserInformation(text: string): string {
  const without = (written: string, slashes: string, held: string): string =>
    isReference(held) ? written : `${slashes}…@`;
  return text.replaceAll(plain, without).replaceAll(escaped, without);
}

/** Whether a text has an address with user information that is written there. */
export function hasUserInformation(text: string): boolean {
  return withoutUserInformation(text) !== text;
}

/**
 * User name and password, without what parts them, of an address that is given alone, as browsers read addresses: also with quotation
 * marks, spaces or backslashes in it, and behind `https:` without two slashes. Empty where there is none, or no address.
 */
export function userInformationOf(address: string): string {
  const parsed = URL.parse(address);
  return parsed === null ? '' : `${parsed.username}${parsed.password}`;
}

/**
 * An address that is given alone, as messages show it: `…` stands for its user information, and for the whole of a text with `@` that
 * is no address, because it cannot be told where in it a password ends.
 */
export function shownAddress(address: string): string {
  const parsed = URL.parse(address);
  if (parsed === null && address.includes('@')) return '…';
  if (parsed === null || userInformationOf(address) === '') return withoutUserInformation(address);
  parsed.username = '';
  parsed.password = '';
  return withoutUserInformation(parsed.href.replace('//', '//…@'));
}
