import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { SiteAnswer } from './recorded-site.ts';

/** What a client got from the replay server. */
export interface Got {
  readonly protocol: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly bodySha256: string;
}

/** Taken out, of the connection, or made by each server for itself. */
const ownHeaders = ['set-cookie', 'alt-svc', 'content-length', 'date', 'timing-allow-origin'];

/** The answer that was recorded, but for what belongs to the connection. */
export function assertAnswer(
  what: string,
  got: Got | undefined,
  expected: SiteAnswer,
  protocol: string,
): void {
  assert.ok(got, what);
  assert.equal(got.protocol, protocol, what);
  assert.equal(got.status, expected.status, what);
  assert.equal(got.bodySha256, createHash('sha256').update(expected.body).digest('hex'), `${what}: body`);
  const kept = expected.headers.filter(([header]) => !ownHeaders.includes(header.toLowerCase()));
  for (const [header] of kept) {
    const values = kept.filter(([other]) => other === header).map(([, value]) => value);
    assert.deepEqual(got.headers[header], values, `${what}: ${header}`);
  }
  const known = new Set(expected.headers.map(([header]) => header.toLowerCase()));
  const added = Object.keys(got.headers).map((header) => header.toLowerCase());
  const foreign = added.filter((header) => !known.has(header) && !ownHeaders.includes(header));
  // A server gives an answer without a type the one that its body looks like.
  assert.deepEqual(
    foreign.filter((header) => header !== 'content-type'),
    [],
    `${what}: added headers`,
  );
  const cookies = got.headers['Set-Cookie'] ?? [];
  assert.ok(!cookies.join().includes('id=1'), what);
}
