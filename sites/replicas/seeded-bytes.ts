import { createCipheriv, createHash } from 'node:crypto';

/** `count` bytes that look random and depend on `seed` alone: the key stream of AES-256 in counter mode. */
export function seededBytes(seed: string, count: number): Buffer {
  const key = createHash('sha256').update(seed).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(count));
}

/** `count` characters of the base-64 alphabet; six bits of entropy each. */
export function seededText(seed: string, count: number): string {
  return seededBytes(seed, Math.ceil((count * 3) / 4))
    .toString('base64')
    .slice(0, count);
}
