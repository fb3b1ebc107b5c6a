import { z } from 'zod';
import { accessOptionsShape } from './live-access.ts';

export { liveNetwork, liveServer } from './live-names.ts';

/** What a user may say about live addresses. */
export const liveOptionsSchema = z.strictObject({
  /** File of certificates in PEM that are trusted besides the public ones. */
  ca: z.string().optional(),
  /** Accept whatever certificate the address shows when the run begins. Default no. */
  insecure: z.boolean().optional(),
  /** `HOST:PORT:ADDRESS:PORT`: connections to the first go to the second; names and certificates stay. */
  connectTo: z
    .array(
      z
        .string()
        .regex(
          /^[^:]+:\d+:(\[[^\]]+\]|[^:]+):\d+$/,
          'want HOST:PORT:ADDRESS:PORT, such as shop.example:443:10.0.0.7:8443',
        ),
    )
    .optional(),
  /** Parts of addresses that are not asked for; `*` stands for anything. */
  block: z.array(z.string().min(1)).optional(),
  ...accessOptionsShape,
});
export type LiveOptions = z.infer<typeof liveOptionsSchema>;

/** What a live address showed of itself when the run began. */
export const remoteSchema = z.object({
  url: z.string(),
  /** Address and port that answered. */
  address: z.string(),
  /** The header `server`; null where there is none. */
  server: z.string().nullable(),
  /** The header `alt-svc`; null where there is none. */
  altSvc: z.string().nullable(),
  certificate: z.object({
    subject: z.string(),
    issuer: z.string(),
    validTo: z.string(),
    sha256: z.string(),
    /** Why it is not trusted by itself; null when it is. */
    distrusted: z.string().nullable(),
  }),
});
export type Remote = z.infer<typeof remoteSchema>;

/** How a browser goes to a live address. */
export const livePageSchema = z.object({
  remote: remoteSchema,
  /** Hosts, with their port, that answer over HTTP/3: it is forced there, and nowhere else. */
  h3Hosts: z.array(z.string()),
  /** Base64 of the SHA-256 of public keys (SubjectPublicKeyInfo) that are accepted whoever signed them. */
  acceptedKeys: z.array(z.string()),
  connectTo: z.array(z.string()),
  block: z.array(z.string()),
});
export type LivePage = z.infer<typeof livePageSchema>;

/** Whether an address is one of those not asked for: the parts between `*` follow one another in it. */
export function isBlocked(url: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    let from = 0;
    return pattern.split('*').every((part) => {
      const at = url.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
  });
}

/** The host of an address as browsers' switches name it: with its port. */
export function hostWithPort({ hostname, port }: URL): string {
  return `${hostname}:${port === '' ? 443 : port}`;
}
