import { z } from 'zod';

/** Times without a byte are told of from this length on, ms. */
export const minPauseMs = 100;

/** How far one upload has come, as a line of the sink behind a server. `arrivalsOf` puts the lines of one `id` together. */
export const sinkLineSchema = z.object({
  id: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  /** When the head of the request was there. */
  atEpochMs: z.number(),
  /** Of the body, that have come. */
  bytes: z.number(),
  /** When the last of them came, ms after the head; 0: none has. */
  lastByteMs: z.number(),
  /** Times without a byte between the first one and the last, ms after the head; in a line those since the line before it. */
  pauses: z.array(z.object({ startMs: z.number(), durationMs: z.number() })),
  /** `cut`: the request ended before its body did. `refused`: the sink wanted no more of it. Absent: it is under way. */
  end: z.enum(['whole', 'cut', 'refused']).optional(),
  /** Of a body that came whole, in hexadecimal. */
  sha256: z.string().optional(),
});
export type SinkLine = z.infer<typeof sinkLineSchema>;

/** The newest state of each upload, with all its pauses, in the order in which they began. */
export function arrivalsOf(lines: readonly SinkLine[]): SinkLine[] {
  const byId = new Map<string, SinkLine>();
  for (const line of lines) {
    const pauses = byId.get(line.id)?.pauses ?? [];
    byId.set(line.id, { ...line, pauses: [...pauses, ...line.pauses] });
  }
  return [...byId.values()];
}

/** What a sink answers to a body that came whole; as long whatever was in it. */
export function receiptOf({ bytes, sha256 }: { readonly bytes: number; readonly sha256: string }): string {
  return JSON.stringify({ bytes, sha256 });
}

/** For people: how much of what was to be uploaded came to the sink. */
export function arrivedWords(
  arrived: readonly Pick<SinkLine, 'bytes'>[],
  { bytes: wantedBytes }: { readonly bytes: number },
): string {
  return `${arrived.reduce((sum, line) => sum + line.bytes, 0)} of ${wantedBytes} bytes arrived`;
}
