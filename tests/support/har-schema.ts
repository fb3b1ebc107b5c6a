import { isIP } from 'node:net';
import { z } from 'zod';

/** HAR 1.2 as its specification words it: http://www.softwareishard.com/blog/har-12-spec/ */
const isoTime = z.iso.datetime({ offset: true });
const sizeBytes = z.number().int().min(-1);
/** −1 where it does not apply. */
const optionalMs = z.number().min(-1).optional();
const requiredMs = z.number().min(0);
const pair = z.object({ name: z.string(), value: z.string() });
const cookie = pair.extend({
  path: z.string().optional(),
  domain: z.string().optional(),
  expires: z.string().nullable().optional(),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
});

const messageFields = {
  httpVersion: z.string(),
  cookies: z.array(cookie),
  headers: z.array(pair),
  headersSize: sizeBytes,
  bodySize: sizeBytes,
};

const request = z.object({
  ...messageFields,
  method: z.string().min(1),
  url: z.url(),
  queryString: z.array(pair),
  postData: z.object({ mimeType: z.string(), text: z.string() }).optional(),
});

const response = z.object({
  ...messageFields,
  status: z.number().int(),
  statusText: z.string(),
  content: z.object({
    size: z.number().int(),
    compression: z.number().int().optional(),
    mimeType: z.string(),
    text: z.string().optional(),
  }),
  redirectURL: z.string(),
});

const entry = z
  .object({
    pageref: z.string().optional(),
    startedDateTime: isoTime,
    time: requiredMs,
    request,
    response,
    cache: z.object({}),
    timings: z.object({
      blocked: optionalMs,
      dns: optionalMs,
      connect: optionalMs,
      ssl: optionalMs,
      send: requiredMs,
      wait: requiredMs,
      receive: requiredMs,
    }),
    serverIPAddress: z
      .string()
      .refine((address) => isIP(address) > 0)
      .optional(),
    connection: z.string().optional(),
  })
  .refine(
    ({ time, timings }) => {
      const phases = [
        timings.blocked,
        timings.dns,
        timings.connect,
        timings.send,
        timings.wait,
        timings.receive,
      ];
      const sum = phases.reduce<number>((total, phase) => total + Math.max(0, phase ?? 0), 0);
      return Math.abs(sum - time) < 1;
    },
    { error: 'time is the sum of the timings' },
  );

const page = z.object({
  startedDateTime: isoTime,
  id: z.string().min(1),
  title: z.string(),
  pageTimings: z.object({ onContentLoad: optionalMs, onLoad: optionalMs }),
});

/** Names that the specification does not know must begin with an underscore. */
const known = new Set(
  'pageref startedDateTime time request response cache timings serverIPAddress connection comment'.split(' '),
);

/** Parses what a HAR 1.2 viewer may rely on; custom fields must begin with `_`. */
export const har12Schema = z.object({
  log: z
    .object({
      version: z.literal('1.2'),
      creator: z.object({ name: z.string(), version: z.string() }),
      pages: z.array(page),
      entries: z.array(
        z
          .looseObject({})
          .refine((one) => Object.keys(one).every((name) => known.has(name) || name.startsWith('_')), {
            error: 'a custom field without underscore',
          })
          .pipe(entry),
      ),
    })
    .refine(({ pages, entries }) => entries.every(({ pageref }) => pages.some(({ id }) => id === pageref)), {
      error: 'every entry belongs to a page',
    }),
});
