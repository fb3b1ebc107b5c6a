import { z } from 'zod';

/** A page that asks without end must not fill the trial's record: the others are counted. */
const maxNamed = 200;
const maxWaits = 5_000;

/**
 * What the program between server and app writes: when the first byte of an answer came, when the app gave none, when a web
 * socket was opened, and when a request was over.
 */
export const appLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answered'),
    id: z.number(),
    url: z.string(),
    status: z.number(),
    /** Whether it announced how long it is, so that it has an end. */
    hasLength: z.boolean().optional(),
    /** When the request was handed to the app. */
    atEpochMs: z.number(),
    /** From there to the first byte of the answer. */
    thinkMs: z.number(),
    /** Names of request headers that some servers drop, in lower case; absent: it had none. */
    oddNames: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal('failed'),
    id: z.number(),
    url: z.string(),
    atEpochMs: z.number(),
    why: z.string(),
  }),
  /** The browser gave up before an answer began. */
  z.object({ kind: z.literal('given-up'), id: z.number(), url: z.string(), atEpochMs: z.number() }),
  z.object({ kind: z.literal('socket'), id: z.number(), url: z.string(), atEpochMs: z.number() }),
  z.object({
    kind: z.literal('ended'),
    id: z.number(),
    /** Whether it did not come to its end. */
    isCut: z.boolean(),
    atEpochMs: z.number(),
  }),
]);
/** Whether some servers drop a header of this name, which HTTP allows (RFC 9110, 5.6.2). */
export const isOddName = (name: string): boolean => !name.startsWith(':') && /[^a-z0-9-]/i.test(name);

export type AppLine = z.infer<typeof appLineSchema>;

/** What the program between server and app says of one trial. */
export const appLedgerSchema = z.object({
  /** Requests that the app answered. */
  answered: z.number(),
  /** When requests were handed to the app, and how long it thought, in order; as far as they go. */
  waits: z.array(z.object({ atEpochMs: z.number(), thinkMs: z.number() })),
  /** The answer that took the longest to begin. */
  slowest: z.object({ url: z.string(), thinkMs: z.number() }).nullable(),
  /** Requests without an answer. */
  failures: z.array(z.object({ url: z.string(), why: z.string() })),
  /** Names of request headers that some servers drop, in lower case, by address; absent where too many had some, and in runs of earlier versions. */
  oddNames: z.record(z.string(), z.array(z.string())).optional(),
  /** Addresses of the web sockets that were opened. */
  sockets: z.array(z.string()),
  /** Requests whose answers were never over, or never began: the browser or its end cut them off. */
  unended: z.array(z.string()),
  /** Those of them that had announced their length: they would have ended. */
  cut: z.array(z.string()).optional(),
});
export type AppLedger = z.infer<typeof appLedgerSchema>;

/** What the lines say of the time from `sinceEpochMs` on. */
export function appLedgerOf(lines: readonly AppLine[], sinceEpochMs: number): AppLedger {
  const own = lines.filter(({ atEpochMs }) => atEpochMs >= sinceEpochMs);
  const answered = own.filter((line) => line.kind === 'answered');
  const ended = new Set(own.flatMap((line) => (line.kind === 'ended' && !line.isCut ? [line.id] : [])));
  const slowest = answered.reduce<(typeof answered)[number] | undefined>(
    (most, line) => (most === undefined || line.thinkMs > most.thinkMs ? line : most),
    undefined,
  );
  return {
    answered: answered.length,
    waits: answered.slice(0, maxWaits).map(({ atEpochMs, thinkMs }) => ({ atEpochMs, thinkMs })),
    slowest: slowest === undefined ? null : { url: slowest.url, thinkMs: slowest.thinkMs },
    failures: own
      .flatMap((line) => (line.kind === 'failed' ? [{ url: line.url, why: line.why }] : []))
      .slice(0, maxNamed),
    ...oddNamesOf(answered),
    sockets: [...new Set(own.flatMap((line) => (line.kind === 'socket' ? [line.url] : [])))].slice(
      0,
      maxNamed,
    ),
    unended: own
      .flatMap((line) => {
        if (line.kind === 'given-up') return [line.url];
        return line.kind === 'answered' && !ended.has(line.id) ? [line.url] : [];
      })
      .slice(0, maxNamed),
    cut: answered
      .flatMap(({ id, url, hasLength }) => (hasLength === true && !ended.has(id) ? [url] : []))
      .slice(0, maxNamed),
  };
}

function oddNamesOf(
  answered: readonly Extract<AppLine, { readonly kind: 'answered' }>[],
): Pick<AppLedger, 'oddNames'> {
  const withSome = answered.filter(({ oddNames }) => oddNames !== undefined);
  const byUrl = Map.groupBy(withSome, ({ url }) => url);
  if (byUrl.size > maxNamed) return {};
  const names = [...byUrl].map(
    ([url, lines]) => [url, lines.flatMap(({ oddNames = [] }) => oddNames)] as const,
  );
  return { oddNames: Object.fromEntries(names.map(([url, each]) => [url, [...new Set(each)]])) };
}
