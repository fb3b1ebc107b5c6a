import { z } from 'zod';
import { appLedgerSchema } from '../../src/core/model/app-ledger.ts';
import { environmentSchema, serverDescriptionSchema } from '../../src/core/model/environment.ts';
import { nicSchema } from '../../src/core/model/nic.ts';
import { questionSchema, replayLedgerSchema, serverLogEntrySchema } from '../../src/core/model/raw-trial.ts';
import { sinkLineSchema } from '../../src/core/model/sink-line.ts';
import { clientCalls } from './client-calls.ts';
import { innerPathSchema, partBytes } from './far-files.ts';
import { networkCalls } from './network-calls.ts';

/**
 * What is spoken with the program on the other machine: a line of JSON each, requests on its standard input, answers and events on
 * its standard output. Both ends judge what they hear by these schemas.
 */
export const protocolVersion = 1;

/** A line that is longer is none of ours. */
export const maxLineBytes = 32 * 1024 * 1024;

/** Either end is taken for lost when the other was silent for so long; one asks so often that this never is by chance. */
export const silenceLimitMs = 8_000;
export const pingEveryMs = 2_000;

const maxTextLength = 20_000;
const maxListed = 200_000;

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);
/** Of a process there, with what makes it this one. */
const runIdSchema = z.string().regex(/^\d{1,10}-[0-9a-f]{16}$/);
const text = z.string().max(maxTextLength);
/** Of what a server logs of a connection. It leads to no other folder. */
const logNameSchema = z
  .string()
  .max(255)
  .regex(/^\w[\w.-]*\.s?qlog$/);
/** Of a server that was started, by its order. */
const serverNumber = z.int().nonnegative();

/** A folder by the content of its files. */
const farRootSchema = z.strictObject({
  host: z.string().min(1).max(253),
  workload: text.optional(),
  messages: z.boolean().optional(),
  /** A program of h2h3 that answers instead of the files: its path, and its words, where null is the folder of the files. */
  origin: z
    .strictObject({
      kind: z.enum(['archive', 'app', 'sink']),
      program: innerPathSchema,
      words: z.array(text.nullable()).max(100),
    })
    .optional(),
  files: z.array(z.strictObject({ path: innerPathSchema, digest: digestSchema })).max(maxListed),
});
export type FarRoot = z.infer<typeof farRootSchema>;

/** A server, or a proxy before one. */
const roleSchema = z.enum(['server', 'proxy']);
export type FarRole = z.infer<typeof roleSchema>;

const address = z.union([z.ipv4(), z.ipv6()]);
const port = z.int().min(1).max(65_535);

const farServerSchema = z.strictObject({
  role: roleSchema,
  /** Name of a server, or of a proxy: `nginx`, `nginx@1.30`. */
  server: z.string().regex(/^[\w.@:+-]+$/),
  roots: z.array(farRootSchema).max(10_000),
  address,
  port,
  /** Of a proxy: where it goes on to, on the same machine. */
  upstream: z.strictObject({ address: z.ipv4(), port }).optional(),
  tcpCongestionControl: z.string().nullable().optional(),
  congestion: z.string().optional(),
  /** By how much the clock there is ahead of the client's, ms: what is broadcast goes by that. */
  clockAheadMs: z.number(),
  /** Whether it logs its QUIC connections. Default: no. */
  logsConnections: z.boolean().optional(),
  /** Typed values of factors, which the server's own code judges. */
  settings: z.record(z.string(), z.unknown()).optional(),
});

/** What answers for names, at a port that it chooses. */
const farResolverSchema = z.strictObject({
  role: z.literal('resolver'),
  hosts: z.array(z.string().min(1).max(253)).max(10_000),
  /** To which the names lead, and on which it listens. */
  address,
  lateMs: z.record(z.string().max(20), z.number().nonnegative()),
  lossPercent: z.number().min(0).max(100).optional(),
});

/** What can be started there. */
const farStartSchema = z.discriminatedUnion('role', [farServerSchema, farResolverSchema]);
export type FarServerStart = z.infer<typeof farServerSchema>;
export type FarResolverStart = z.infer<typeof farResolverSchema>;

const machineSchema = environmentSchema.shape.machine;

export const helloSchema = z.strictObject({
  protocol: z.literal(protocolVersion),
  version: z.string().max(100),
  node: z.string().max(100),
  hostName: z.string().max(300),
  /** Of all that this connection starts there. */
  runId: runIdSchema,
  machine: machineSchema,
  /** Address of the far machine, and that of the near one, as the far `sshd` sees both. */
  address,
  nearAddress: address,
  /** What TCP of its kernel can run. */
  tcpCongestionControls: z.array(z.string().max(100)).max(100),
  /** What it has at its address; null where nothing tells. */
  nic: nicSchema.nullable(),
});
export type FarHello = z.infer<typeof helloSchema>;

const processRowSchema = z.strictObject({
  pid: z.int(),
  parentPid: z.int(),
  groupId: z.int(),
  commandLine: z.string(),
  zombie: z.boolean(),
  userSeconds: z.number(),
  systemSeconds: z.number(),
  endedChildrenUserSeconds: z.number(),
  endedChildrenSystemSeconds: z.number(),
});

/** As `doctor` has it. */
const doctorRowSchema = z.strictObject({
  item: text,
  state: z.enum(['ok', 'missing', 'limited']),
  found: text,
  costs: text.optional(),
  fix: text.optional(),
  required: z.boolean(),
});

const nothing = z.strictObject({});

/** Every request by its name: what is asked, and what comes back. */
export const farCalls = {
  hello: { asks: nothing, answers: helloSchema },
  ping: { asks: nothing, answers: nothing },
  /**
   * Has the machine for this connection, and where servers are to start the port of theirs, and waits until what an earlier run has left
   * there is over.
   */
  claim: { asks: z.strictObject({ address, port: port.optional() }), answers: nothing },
  /** Ends what an earlier connection of the same run has started. */
  takeOver: { asks: z.strictObject({ runId: runIdSchema }), answers: nothing },
  /** Looks for the programs of servers and proxies, or fetches them; a text each for those that cannot be had. */
  find: {
    asks: z.strictObject({
      servers: z.array(text).max(100),
      proxies: z.array(text).max(100),
      fetches: z.boolean(),
    }),
    answers: z.strictObject({
      lacking: z
        .array(z.strictObject({ role: roleSchema, name: text, reason: text, next: text.optional() }))
        .max(200),
    }),
  },
  /** Which contents are not there yet. */
  missing: {
    asks: z.strictObject({ digests: z.array(digestSchema).max(maxListed) }),
    answers: z.strictObject({ digests: z.array(digestSchema).max(maxListed) }),
  },
  /** The next bytes of a content; the last ones have it checked. */
  put: {
    asks: z.strictObject({
      digest: digestSchema,
      base64: z.string().max(2 * partBytes),
      isLast: z.boolean(),
    }),
    answers: nothing,
  },
  /** The key pairs by which certificates are made, as the browser here was told. PEM by file name. */
  keys: {
    asks: z.strictObject({
      files: z
        .array(
          z.strictObject({
            path: z.enum(['certificates/key.pem', 'certificates-rsa/key.pem', 'certificates/authority.pem']),
            pem: text,
          }),
        )
        .max(3),
    }),
    answers: nothing,
  },
  start: {
    asks: farStartSchema,
    answers: z.strictObject({
      server: serverNumber,
      /** Null: it is no server. */
      description: serverDescriptionSchema.nullable(),
      port,
      warnings: z.array(text).max(100),
    }),
  },
  mark: {
    asks: z.strictObject({ server: serverNumber }),
    answers: z.strictObject({ mark: z.int().nonnegative() }),
  },
  entries: {
    asks: z.strictObject({
      server: serverNumber,
      mark: z.int().nonnegative(),
      awaited: z.array(text).max(maxListed),
    }),
    answers: z.strictObject({ entries: z.array(serverLogEntrySchema).max(maxListed) }),
  },
  /** Answered when a request for the path was logged after the mark, or the next trial has marked the log. */
  awaitEntry: {
    asks: z.strictObject({ server: serverNumber, mark: z.int().nonnegative(), path: text }),
    answers: nothing,
  },
  /** What the origins of recorded sites behind a server were asked; null without any. */
  ledger: {
    asks: z.strictObject({ server: serverNumber, sinceEpochMs: z.number() }),
    answers: z.strictObject({ ledger: replayLedgerSchema.nullable() }),
  },
  /** How far uploads have come; null without a sink behind the server. */
  arrived: {
    asks: z.strictObject({ server: serverNumber, sinceEpochMs: z.number() }),
    answers: z.strictObject({ lines: z.array(sinkLineSchema).max(maxListed).nullable() }),
  },
  /** What an app behind a server was asked; null without one. */
  appLedger: {
    asks: z.strictObject({ server: serverNumber, sinceEpochMs: z.number() }),
    answers: z.strictObject({ ledger: appLedgerSchema.nullable() }),
  },
  /** What a resolver was asked. */
  questions: {
    asks: z.strictObject({ server: serverNumber, sinceEpochMs: z.number() }),
    answers: z.strictObject({ questions: z.array(questionSchema).max(maxListed) }),
  },
  /** Names of the logs that a server has written of its QUIC connections. */
  logs: {
    asks: z.strictObject({ server: serverNumber }),
    answers: z.strictObject({ names: z.array(logNameSchema).max(maxListed) }),
  },
  /** The bytes of one of them from an offset on, a part at the most; none: that is its end. */
  logPart: {
    asks: z.strictObject({ server: serverNumber, name: logNameSchema, offsetBytes: z.int().nonnegative() }),
    answers: z.strictObject({ base64: z.string().max(2 * partBytes) }),
  },
  /** CPU times of a server and of all that it started. */
  cpuTimes: {
    asks: z.strictObject({ server: serverNumber }),
    answers: z.strictObject({ rows: z.array(processRowSchema).max(10_000) }),
  },
  stop: { asks: z.strictObject({ server: serverNumber }), answers: nothing },
  /** Listens, for the one that has the token, so that the link can be measured. */
  measure: {
    asks: z.strictObject({
      address,
      port,
      token: z.string().regex(/^[0-9a-f]{32}$/),
    }),
    answers: nothing,
  },
  /** That is over, and the port is free. */
  measured: { asks: nothing, answers: nothing },
  /** What makes figures of this machine noisy; empty where nothing does. */
  noise: { asks: nothing, answers: z.strictObject({ disturbances: z.array(text).max(50) }) },
  /** What this machine has of what servers need, or clients. */
  doctor: {
    asks: z.strictObject({ of: z.enum(['servers', 'clients']) }),
    answers: z.strictObject({ rows: z.array(doctorRowSchema).max(200) }),
  },
  ...clientCalls,
  ...networkCalls,
} as const;

export type FarCall = keyof typeof farCalls;
export type Asked<Call extends FarCall> = z.infer<(typeof farCalls)[Call]['asks']>;
export type Answered<Call extends FarCall> = z.infer<(typeof farCalls)[Call]['answers']>;

/** The frame of a request; `asked` is judged by the call's own schema. */
export const requestSchema = z.strictObject({
  id: z.int().nonnegative(),
  call: z.enum(Object.keys(farCalls) as [FarCall, ...FarCall[]]),
  asked: z.unknown(),
});

/** What an error of the far end may be; anything else that goes wrong there is a fault of h2h3. */
const errorSchema = z.strictObject({
  code: z.enum(['usage', 'bad-input', 'unsupported', 'process-failed', 'deadline', 'storage', 'internal']),
  message: text,
  next: text.optional(),
  stderrTail: text.optional(),
});

/** When the request was read and when the answer was written, by the far clock: four times make an offset (RFC 5905, 8). */
const epochMs = z.number().min(0).max(8.64e15);
const times = { heardEpochMs: epochMs, saidEpochMs: epochMs };

/** A line of the far end. */
export const farLineSchema = z.union([
  z.strictObject({ id: z.int().nonnegative(), ...times, answered: z.unknown() }),
  z.strictObject({ id: z.int().nonnegative(), ...times, error: errorSchema }),
  z.strictObject({ event: z.literal('died'), server: serverNumber, part: text }),
  z.strictObject({ event: z.literal('progress'), title: text }),
  /** It cannot be used at all, and ends. */
  z.strictObject({ event: z.literal('refused'), error: errorSchema }),
]);
export type FarLine = z.infer<typeof farLineSchema>;
export type FarError = z.infer<typeof errorSchema>;
