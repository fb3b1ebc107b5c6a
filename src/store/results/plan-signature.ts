import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA-256 (RFC 2104) over a run's id and the text of its plan, in hexadecimal: who has the key of a run's hosts wrote it.
 *
 * @param key that coordinator and workers share
 */
export function signatureOf(text: string, runId: string, key: string): string {
  return createHmac('sha256', key).update(`h2h3 plan of run ${runId}\n${text}`).digest('hex');
}

/** Whether a text was signed so, told in a time that says nothing of the right signature. */
export function isSigned(text: string, signature: string, runId: string, key: string): boolean {
  const [right, given] = [signatureOf(text, runId, key), signature].map((text) => Buffer.from(text));
  return right !== undefined && given?.length === right.length && timingSafeEqual(given, right);
}
