/** The query parameter in which players tell servers of themselves (CTA-5004, Common Media Client Data). */
const parameter = /([?&])CMCD=([^&#]*)(&)?/;

/** Keys of a request by their names, as the player wrote them. */
export type CmcdKeys = ReadonlyMap<string, string>;

/** An address, or a path with its query, and what a player tells in it, encoded; undefined where it tells nothing. */
export interface TellingAddress {
  /** Without the parameter: what is asked for stays the same whatever a player tells. */
  readonly address: string;
  readonly cmcd: string | undefined;
}

/** Takes the parameter out of an address. */
export function splitCmcd(address: string): TellingAddress {
  const found = parameter.exec(address);
  if (found === null) return { address, cmcd: undefined };
  const [, before = '', cmcd, more] = found;
  return { address: address.replace(parameter, more === undefined ? '' : before), cmcd };
}

/** The address as it was asked for, where nothing but the parameter stood in its query. */
export const withCmcd = (address: string, cmcd: string | undefined): string =>
  cmcd === undefined ? address : `${address}?CMCD=${cmcd}`;

/** What a player told; a key without a value is `true`. Empty for text that cannot be decoded. */
export function readCmcd(encoded: string): CmcdKeys {
  const pairs = decoded(encoded).matchAll(/([\w-]+)(?:=("(?:[^"\\]|\\.)*"|[^,"]*))?(?:,|$)/g);
  return new Map(
    [...pairs].map(([, key = '', value = 'true']) => [key, value.replaceAll(/^"|"$/g, '')] as const),
  );
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return ''; // half an escape: it was cut off
  }
}
