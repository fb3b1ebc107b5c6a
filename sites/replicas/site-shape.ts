import { z } from 'zod';

export const objectTypes = ['html', 'css', 'js', 'image', 'font', 'json', 'video', 'audio', 'other'] as const;
export type ObjectType = (typeof objectTypes)[number];

/** One request of a recorded page load. */
export interface ShapeRequest {
  /** Index of the serving host within the page; 0 is the document's. */
  readonly host: number;
  readonly type: ObjectType;
  /** Encoded body bytes; null: not recorded. */
  readonly wireBytes: number | null;
  /** Decoded body bytes; null: not recorded. */
  readonly rawBytes: number | null;
  /** Request start after navigation start. */
  readonly startMs: number;
  /** Row of the request that caused this one; null: not recorded. */
  readonly initiator: number | null;
  /** RFC 9218 urgency (0 first), or Chrome's priority (4 first), by source; null: not recorded. */
  readonly urgency: number | null;
}

/** One recorded page load as numbers only: no bodies, no addresses. Requests are in order of their start. */
export interface SiteShape {
  readonly site: string;
  readonly year: number;
  /** Which public collection of recordings it was reduced from. */
  readonly source: string;
  readonly requests: readonly ShapeRequest[];
}

const count = z.number().int().nonnegative();
const rowSchema = z.tuple([
  count,
  z.enum(objectTypes),
  count.nullable(),
  count.nullable(),
  z.number().nonnegative(),
  count.nullable(),
  z.number().int().nullable().optional(),
  z.number().int().nullable().optional(),
]);

/** The exchange format (`--sites FILE`): one row a request, in the order of `ShapeRequest`, with `depth` before `urgency`. */
export const siteShapesFileSchema = z.object({
  sites: z
    .array(
      z.object({
        site: z
          .string()
          .regex(/^[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?$/i, 'a name of letters, digits, dots and dashes'),
        year: z.number().int().optional(),
        source: z.string().optional(),
        requests: z.array(rowSchema).min(1),
      }),
    )
    .min(1),
});
type SiteInFile = z.infer<typeof siteShapesFileSchema>['sites'][number];

/** Shape of one site of a file that fulfils the schema. */
export function shapeOf(site: SiteInFile): SiteShape {
  const requests = site.requests.map(
    ([host, type, wireBytes, rawBytes, startMs, initiator, , urgency]): ShapeRequest => ({
      host,
      type,
      wireBytes,
      rawBytes,
      startMs,
      initiator,
      urgency: urgency ?? null,
    }),
  );
  return { site: site.site, year: site.year ?? 0, source: site.source ?? 'file', requests };
}
