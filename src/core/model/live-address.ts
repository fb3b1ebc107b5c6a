import { z } from 'zod';
import { accessOptionsShape } from './live-access.ts';

export { liveNetwork, liveServer } from './live-names.ts';

/** A server that is started for a run and ended with it: anything that a command line starts, containers too. */
export const serverUnderTestSchema = z.strictObject({
  /** Given to a shell where it is one text; inherits the environment, so secrets stay there. */
  command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
  /** Address that answers with a status below 500 as soon as the server is ready. Default: the address that is loaded. */
  ready: z.url({ protocol: /^https?$/ }).optional(),
  /** What it speaks: all of it is tried before anything is measured. Default: both. */
  protocol: z.union([z.enum(['h2', 'h3']), z.array(z.enum(['h2', 'h3'])).min(1)]).default(['h2', 'h3']),
  /** How long it may take to become ready. Default: 60. */
  readyWithinSeconds: z.number().positive().max(3600).default(60),
});
export type ServerUnderTest = z.infer<typeof serverUnderTestSchema>;

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
  /** Started before the addresses are asked, for as long as the run takes. */
  server: z
    .union([
      serverUnderTestSchema,
      z
        .array(serverUnderTestSchema)
        .min(1)
        .refine(
          (servers) => servers.length === 1 || servers.every(({ ready }) => ready !== undefined),
          'of several servers each needs its own `ready`',
        ),
    ])
    .optional(),
  ...accessOptionsShape,
});
export type LiveOptions = z.infer<typeof liveOptionsSchema>;

/** The servers that are started for a run, in their order. */
export function serversUnderTest({ server }: LiveOptions): ServerUnderTest[] {
  return server === undefined ? [] : [server].flat();
}

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
  /** Base64 of the SHA-256 of public keys (SubjectPublicKeyInfo) that are accepted, signed by anybody. */
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

/** Where connections for an address go. `HOST:PORT:ADDRESS:PORT` is of the form that curl takes. */
export function connectTarget(
  url: URL,
  rules: readonly string[],
): { readonly host: string; readonly port: number } {
  const usual = url.protocol === 'http:' ? 80 : 443;
  const port = url.port === '' ? usual : Number(url.port);
  const rule = rules.find((rule) => rule.startsWith(`${url.hostname}:${port}:`));
  const [, host, to] = /^[^:]+:\d+:(.+):(\d+)$/.exec(rule ?? '') ?? [];
  if (host === undefined) return { host: url.hostname.replace(/^\[|\]$/g, ''), port };
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(to) };
}

/** The host of an address as browsers' switches name it: with its port. */
export function hostWithPort({ hostname, port }: URL): string {
  return `${hostname}:${port === '' ? 443 : port}`;
}
