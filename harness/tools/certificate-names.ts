import { createHash } from 'node:crypto';

export const authorityName = 'CN=h2h3 authority of this installation';

/**
 * A subject of its own for each leaf. Self-signed leaves that share one look like each other's issuers, and Firefox
 * tries every one it has seen for each new connection: its CPU time then grows with the square of a page's hosts.
 * The host itself stands in the alternative name only, for a common name holds 64 letters at most.
 */
export function leafName(names: readonly string[]): string {
  const hash = createHash('sha256').update(names.join('\n')).digest('hex');
  return `CN=h2h3 ${hash.slice(0, 32)}`;
}
