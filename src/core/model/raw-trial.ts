import { z } from 'zod';
import { appLedgerSchema } from './app-ledger.ts';
import { connectionStartSchema } from './connection-start.ts';
import { besideFactsSchema, linkQueueSchema } from './link-queue.ts';
import { linkCourseSchema, linkScheduleSchema } from './schedule.ts';
import { sessionSchema } from './session.ts';
import { sinkLineSchema } from './sink-line.ts';
import { testbedFactsSchema } from './testbed-facts.ts';
import { timelineSchema } from './timeline.ts';
import { plainFileNameSchema, trialIdSchema } from './trial-id.ts';
import { instrumentationSchema } from './instrumentation.ts';

/** `performance.getEntriesByType('navigation')[0]` and the Web Vitals entries, in ms after navigation start. */
export const pageTimingsSchema = z.object({
  /** `performance.timeOrigin`. */
  timeOriginEpochMs: z.number(),
  connectStartMs: z.number(),
  connectEndMs: z.number(),
  requestStartMs: z.number(),
  responseStartMs: z.number(),
  responseEndMs: z.number(),
  domContentLoadedMs: z.number(),
  /** Start of the load event; what is requested from here on is not part of the load. Absent: taken as its end. */
  loadEventStartMs: z.number().optional(),
  /** 0 when the load event never ended. */
  loadEventEndMs: z.number(),
  nextHopProtocol: z.string(),
  /** Null: the browser has no such entry. */
  fcpMs: z.number().nullable(),
  lcpMs: z.number().nullable(),
  cls: z.number().nullable(),
  /** Long tasks (> 50 ms) until recording ended (load and quiet time): start and duration; null where the browser has no such entries. */
  longTasks: z.array(z.object({ startMs: z.number(), durationMs: z.number() })).nullable(),
});
export type PageTimings = z.infer<typeof pageTimingsSchema>;

/** A document that a tab showed. */
export const shownDocumentSchema = z.object({
  url: z.string(),
  /** When the browser set out for it, by its own message. */
  askedEpochMs: z.number(),
});
export type ShownDocument = z.infer<typeof shownDocumentSchema>;

/** One named step of a journey, as the page told of it when it had come to rest. */
export const journeyStepSchema = z.object({
  name: z.string(),
  /** File and line of the script. */
  where: z.string(),
  startEpochMs: z.number(),
  /** When the work of the step's function was done. */
  endEpochMs: z.number(),
  /** Whether the network went quiet before the deadline. */
  quiet: z.boolean(),
  /** Origin of the page at the end. */
  origin: z.string(),
  /** Of the last document that the step loaded; null: it loaded none. */
  timings: pageTimingsSchema.nullable(),
  /** A change of the page's address without a new document; null: there was none. */
  softNavigation: z
    .object({
      /** The browser's own entries, or, where it has none, the new address and the quiet network after it. */
      source: z.enum(['entry', 'address']),
      durationMs: z.number(),
    })
    .nullable(),
  /** Clicks, taps and key presses of the step. */
  interactionCount: z.number(),
  /** Longest of them until the next paint; null: none, or the browser has no such entries. */
  interactionMs: z.number().nullable(),
  /** Layout shifts from the step's start on in the document in which it ended; null: the browser has no such entries. */
  cls: z.number().nullable(),
});
export type JourneyStep = z.infer<typeof journeyStepSchema>;

/** CPU time of one process of the browser between start and stop of the measurement, from the operating system. */
export const processCpuSchema = z.object({
  pid: z.number(),
  /** browser, network, renderer, gpu, utility …; for Firefox: browser, network (the socket process), renderer, … */
  role: z.string(),
  userSeconds: z.number(),
  systemSeconds: z.number(),
});
export type ProcessCpu = z.infer<typeof processCpuSchema>;

/** The share of a CPU that the client's processes together were held to, as the kernel said it when asked. */
export const clientCpuShareSchema = z.object({
  controller: z.enum(['cgroup v1', 'cgroup v2']),
  /** CPU time of all CPUs together in each period. */
  quotaMs: z.number(),
  periodMs: z.number(),
  /** Processes of the client that were held to it when the measurement began; later ones belong to it as well. */
  processes: z.number(),
  /** Time for which the client wanted a CPU and got none, by CPU, during the trial. */
  throttledMs: z.number(),
});
export type ClientCpuShare = z.infer<typeof clientCpuShareSchema>;

/** What a server counted in one session of messages that it echoed. */
export const messageCountsSchema = z.object({
  over: z.enum(['websocket', 'webtransport']),
  received: z.number(),
  /** Handed to the transport on the way back. */
  returned: z.number(),
  /** Of the received ones, without what frames them. */
  receivedBytes: z.number(),
  /** Streams that the client opened in it, and datagrams that came; of a WebSocket none. */
  streams: z.number(),
  datagrams: z.number(),
});
export type MessageCounts = z.infer<typeof messageCountsSchema>;

/** A session that a relay of MoQ took, or that was over, as its log has it. */
export const relayLineSchema = z.object({
  atEpochMs: z.number(),
  event: z.enum(['session', 'closed']),
  /** What carried it: `quic`, `web_socket`. */
  transport: z.string(),
  /** Of one that was over: why, as the relay heard it; empty where it heard nothing. */
  why: z.string().optional(),
});
export type RelayLine = z.infer<typeof relayLineSchema>;

const ipVersionSchema = z.literal([4, 6]);

/** One line of the server's access log that belongs to this trial. */
export const serverLogEntrySchema = z.object({
  host: z.string(),
  /** Path with query, as requested, but for `cmcd`. */
  path: z.string(),
  /** What a player told in the query of its request, encoded; absent where it told nothing. */
  cmcd: z.string().optional(),
  method: z.string(),
  protocol: z.string(),
  status: z.number(),
  /** Body bytes the server sent. */
  bytes: z.number(),
  /** Whether `bytes` has the answer's head or those of its chunks or frames in it, so that it is the most that the body can have. */
  isUpperBound: z.boolean().optional(),
  /** Body bytes that its answer announced (`Content-Length`); absent where it announced none, or does not say. */
  announcedBytes: z.number().optional(),
  startEpochMs: z.number(),
  durationMs: z.number(),
  /** The client's port, by which the requests of one connection are known; absent where the server does not say. */
  connection: z.string().optional(),
  /** The version of IP of the client's address; absent where the server does not say. */
  family: ipVersionSchema.optional(),
  /** Whether the request's connection took up an earlier TLS session; absent where the server does not say. */
  resumed: z.boolean().optional(),
  /** Whether the request came before its connection's handshake had ended; absent where the server does not say. */
  earlyData: z.boolean().optional(),
  /** Group of the connection's key exchange; absent where the server does not say. */
  keyExchange: z.string().optional(),
  /** Cipher suite of the request's connection; absent where the server does not say. */
  cipher: z.string().optional(),
  /** The request's field `Priority` (RFC 9218); absent where it had none. */
  priority: z.string().optional(),
  /** Of a session of messages: what came in it, as the server counted it. */
  messages: messageCountsSchema.optional(),
});
export type ServerLogEntry = z.infer<typeof serverLogEntrySchema>;

/**
 * How the answer of a recorded site was found: to the byte; but for the order of the query; but for volatile keys of
 * query or body; made for another browser; after the last of several that differed; a part of a whole that was recorded;
 * for other headers that `Vary` names; by the best overlap; or not at all.
 */
export const foundAnswers = [
  'exact',
  'same-query',
  'volatile-query',
  'other-browser',
  'after-last',
  'part-of-whole',
  'other-headers',
  'overlap',
  'lacking',
  'miss',
] as const;
export type FoundAnswer = (typeof foundAnswers)[number];

/** One request as the origin of a recorded site met it: how its answer was found, or that there was none. */
export const ledgerLineSchema = z.object({
  atEpochMs: z.number(),
  found: z.enum(foundAnswers),
  method: z.string(),
  url: z.string(),
  /** `Sec-Fetch-Dest` of the request: document, script, style, image …; empty where the client says nothing. */
  destination: z.string(),
});
export type LedgerLine = z.infer<typeof ledgerLineSchema>;

/** A page that asks without end must not fill the trial's record: the others are counted. */
export const maxNamedRequests = 200;

/** What the origin of a recorded site says of one trial. */
export const replayLedgerSchema = z.object({
  /** Requests by how their answer was found. */
  answered: z.record(z.string(), z.number()),
  /** Requests whose answer is not exact, in order, as far as `maxNamedRequests` of each kind go. */
  inexact: z.array(ledgerLineSchema).default([]),
  /** Requests without an answer, likewise; `missed` counts all of them. */
  misses: z.array(ledgerLineSchema.omit({ found: true })),
  missed: z.number().optional(),
});
export type ReplayLedger = z.infer<typeof replayLedgerSchema>;

/** What client, server and link were doing in one interval of a trial. */
export const activityIntervalSchema = z.object({
  startEpochMs: z.number(),
  durationMs: z.number(),
  /** Share of the interval in which the busiest thread of the client's networking ran or waited for a CPU, 0 … 1. */
  receiver: z.number(),
  /** Share of it in which a quota withheld the CPU from the client. */
  receiverWithheld: z.number(),
  /** CPU time of the server ÷ that of the CPUs it may use, 0 … 1. */
  sender: z.number(),
  /** Bytes at the client's interface. */
  receivedBytes: z.number(),
});
export type ActivityInterval = z.infer<typeof activityIntervalSchema>;

/** One frame of the viewport: file name below the trial's `frames/` folder, time in ms after navigation start. */
export const frameSchema = z.object({
  file: plainFileNameSchema,
  tMs: z.number(),
});
export type Frame = z.infer<typeof frameSchema>;

/** What one transport of the client's own namespace carried between start and rest, and its sockets at the end. */
const transportCountSchema = z.object({
  /** Segments of TCP, datagrams of UDP, as the kernel counts them. */
  received: z.number(),
  sent: z.number(),
  /** Client's ports of the sockets that were there at the end, and the port that each led to. */
  flows: z.array(z.object({ localPort: z.number(), remotePort: z.number() })),
});

export const transportCountsSchema = z.object({ tcp: transportCountSchema, udp: transportCountSchema });
export type TransportCounts = z.infer<typeof transportCountsSchema>;

/** What one flow brought to the client's emulated link between start and rest, IP headers included, before loss and queue. */
export const linkFlowSchema = z.object({
  /** Version of IP; absent in older runs. */
  family: ipVersionSchema.optional(),
  transport: z.enum(['tcp', 'udp']),
  clientPort: z.number(),
  serverPort: z.number(),
  /** When its first packet came, ms after the load's start; absent in older runs. */
  firstMs: z.number().optional(),
  upPackets: z.number(),
  upBytes: z.number(),
  downPackets: z.number(),
  downBytes: z.number(),
});
export type LinkFlow = z.infer<typeof linkFlowSchema>;

/** A question that the testbed's resolver was asked for a host of the workload. */
export const questionSchema = z.object({
  atEpochMs: z.number(),
  name: z.string(),
  /** `A`, `AAAA`, `HTTPS`, or the number of another type. */
  type: z.string(),
  /** Whether there was such a record to answer with. */
  found: z.boolean(),
  /** How long the answer was held back, where that was asked for. */
  answeredAfterMs: z.number().optional(),
  /** Whether it was left without an answer, where some were to be. */
  lost: z.boolean().optional(),
});
export type ResolverQuestion = z.infer<typeof questionSchema>;

export const discoverySchema = z.object({
  way: z.enum(['forced', 'alt-svc', 'https-record']),
  /** What the resolver was asked during the trial, in order; empty where nothing is resolved by it. */
  questions: z.array(questionSchema),
});
export type Discovery = z.infer<typeof discoverySchema>;

/**
 * Everything a trial left, as the probes stored it: the file `raw.json.gz` of the trial's folder.
 * The HAR (`page.har.gz`) and the frames (`frames/`) lie next to it. Metrics are derived from these alone.
 */
export const rawTrialSchema = z.object({
  schemaVersion: z.literal(1),
  trialId: trialIdSchema,
  instrumentation: instrumentationSchema,
  outcome: z.enum(['completed', 'deadline', 'error']),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      /** The browser's own name of why it could not load the page, such as `net::ERR_NETWORK_CHANGED`; absent: it has none. */
      netError: z.string().optional(),
      stderrTail: z.string().optional(),
    })
    .optional(),
  browser: z.object({ name: z.string(), version: z.string() }).nullable(),
  startedAt: z.string(),
  /** Wall time from the worker's order to the browser's end, ms. */
  durationMs: z.number(),
  /** Wall time between start and stop of the probes, ms; CPU percentages refer to it. */
  measuredMs: z.number(),
  deadlineMs: z.number(),
  /** When the load, and the quiet time after it, were over; absent: they never were. */
  restEpochMs: z.number().optional(),
  timings: pageTimingsSchema.nullable(),
  /** Where the page led on by itself, by script or `meta refresh`: all documents in their order. Times count from the first. */
  documents: z.array(shownDocumentSchema).optional(),
  /** Of timed trials of browsers only: the HAR is made of these and of the server's log. */
  timelines: z.array(timelineSchema).optional(),
  session: sessionSchema.nullable(),
  /** Of video over a path whose rate a trace sets: its mean rate towards the client in each second from its begin on. */
  linkTrace: z.object({ startEpochMs: z.number(), downMbps: z.array(z.number()) }).optional(),
  /** Of journeys only: the steps that were done, in order. */
  journey: z.array(journeyStepSchema).optional(),
  cpu: z.array(processCpuSchema).nullable(),
  /** Where the arm says how many CPUs the client has: which those are, such as `0-3`, and which its first process had; null: not known. */
  clientCpus: z.object({ asked: z.string(), had: z.string().nullable() }).optional(),
  /** Of what the client speaks with, server or first proxy, and of all that it started; absent where it is not ours. */
  serverCpu: z.array(processCpuSchema).optional(),
  /** Absent: it had all that its CPUs have. */
  cpuShare: clientCpuShareSchema.optional(),
  /** Whether UDP from the server came through, or until when, where the arm says so. */
  udp: z
    .string()
    .regex(/^(?:open|blocked|blocked@\d+ms)$/)
    .optional(),
  /** That the client was told to send no priorities, where the arm says so. */
  sentPriorities: z.literal('none').optional(),
  /** Where the arm lets the client find HTTP/3 by itself, or says that it is forced. */
  discovery: discoverySchema.optional(),
  /** Absent where the client shares its network with other programs: on loopback, and for live addresses over the machine's own. */
  transports: transportCountsSchema.optional(),
  /** Where the client's link is emulated: all flows that crossed it, those that have ended as well. */
  linkFlows: z.array(linkFlowSchema).optional(),
  /**
   * Of live addresses over the machine's own network: the version of IP of each socket of the client that was connected to the
   * address's port when the load was over.
   */
  clientFamilies: z.array(ipVersionSchema).optional(),
  /** What the testbed's resolver was asked, where names have addresses of both versions of IP. */
  nameQuestions: z.array(questionSchema).optional(),
  /** Where the client asks a resolver of the testbed: its port, which carries names and no request. */
  resolverPort: z.number().optional(),
  /** Where the client's link is emulated: how the server began on each of the first connections that crossed it. */
  connectionStarts: z.array(connectionStartSchema).optional(),
  /** Where the arm or the network says what its queue is, or what another client loads: what the queues did from navigation on. */
  linkQueue: linkQueueSchema.optional(),
  /** Where something about the client's link changes at times that are known beforehand: what was in force when, */
  linkSchedule: linkScheduleSchema.optional(),
  /** and what the link did meanwhile. */
  linkCourse: linkCourseSchema.optional(),
  /** What another client of the link loaded meanwhile. */
  otherTraffic: besideFactsSchema.optional(),
  /** Null where the server is not ours (live addresses). */
  serverLog: z.array(serverLogEntrySchema).nullable(),
  /** What was really between client and server; absent where it is not ours. */
  testbed: testbedFactsSchema.optional(),
  /** Where a proxy stands before the server, `serverLog` is the proxy's, and this the server's. */
  upstreamLog: z.array(serverLogEntrySchema).optional(),
  /** Of recorded sites only. */
  ledger: replayLedgerSchema.optional(),
  /** Of apps of the user's only: what they were asked and how long they thought. */
  app: appLedgerSchema.optional(),
  /** Where an arm of the run plays by MoQ: what the log of the relay says of this trial. */
  relayLog: z.array(relayLineSchema).optional(),
  /** Of uploads only: what the sink behind the server got of each, as far as it had come when the trial was over. */
  arrived: z.array(sinkLineSchema).optional(),
  /** Of recorded sites only: what kept the page from reaching anything but the replay's server. */
  containment: z.string().optional(),
  /** Null where this client can give no frames. */
  frames: z.array(frameSchema).nullable(),
  /** Of diagnosis runs only. */
  activity: z.array(activityIntervalSchema).optional(),
  /** Named counters: packets, UdpRcvbufErrors, emulator drops … by probe. */
  counters: z.record(z.string(), z.number()),
  /** Of probes that recorded nothing: why, a sentence each, also among the warnings. */
  unrecorded: z.array(z.string()).optional(),
  warnings: z.array(z.string()),
});
export type RawTrial = z.infer<typeof rawTrialSchema>;
