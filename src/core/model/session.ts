import { z } from 'zod';
import { messageTransports } from './message-transport.ts';

/** A media segment that came whole. */
const videoChunkSchema = z.object({
  index: z.number(),
  representation: z.string(),
  bitrateKbps: z.number(),
  mediaStartSeconds: z.number(),
  durationSeconds: z.number(),
  url: z.string(),
  bytes: z.number(),
  requestStartMs: z.number(),
  responseStartMs: z.number(),
  responseEndMs: z.number(),
  /** `nextHopProtocol` of Resource Timing; empty where the browser withholds it. */
  protocol: z.string(),
  bufferLevelSeconds: z.number(),
  /** What the player told the server in its request, encoded; absent where it told nothing. It is no part of `url`. */
  cmcd: z.string().optional(),
});

/**
 * What one player of video leaves behind. Every time is `performance.now()` of that page, in ms;
 * `timeOriginEpochMs` relates it to the server's clock. Nothing here is derived.
 */
export const videoPlayerSchema = z.object({
  kind: z.literal('video'),
  timeOriginEpochMs: z.number(),
  loadCallMs: z.number(),
  /** From `requestVideoFrameCallback`; null when no frame was ever presented. */
  firstFrameMs: z.number().nullable(),
  endedMs: z.number().nullable(),
  /** Media seconds played. */
  playedSeconds: z.number(),
  /** Why the session ended: all of it played, the play length reached, or an error. */
  outcome: z.enum(['ended', 'play-length', 'error']),
  /** What played, as it names itself. */
  player: z.object({ name: z.string(), version: z.string() }),
  ladder: z.array(z.object({ representation: z.string(), bitrateKbps: z.number() })),
  abr: z.string(),
  chunkSeconds: z.number(),
  chunks: z.array(videoChunkSchema),
  /** Of a film with sound: its rate, and its chunks apart from those of the pictures, which alone are chosen from a ladder. */
  sound: z.object({ bitrateKbps: z.number(), chunks: z.array(videoChunkSchema) }).optional(),
  /** Of each request for a chunk that the player gave up before it had come whole, as its own rule may. Absent: none. */
  abandonedUrls: z.array(z.string()).optional(),
  /** `waiting` to `playing` after the first `playing`; `bufferSeconds` was ahead when it began; `endMs` null: until the end. */
  stalls: z.array(
    z.object({
      startMs: z.number(),
      endMs: z.number().nullable(),
      mediaSeconds: z.number(),
      bufferSeconds: z.number(),
    }),
  ),
  bufferSamples: z.array(z.object({ tMs: z.number(), levelSeconds: z.number(), mediaSeconds: z.number() })),
  /** A broadcast only: wall-clock time at which its media time 0 was made. */
  liveStartEpochMs: z.number().optional(),
  /** A broadcast only: how far behind the live edge the player was told to stay, ms. */
  liveDelayTargetMs: z.number().optional(),
  /** A broadcast only: chunks come in parts of this length, each when it has been made (s). */
  livePartSeconds: z.number().optional(),
  /** Of a broadcast over MoQ only: address of the session at the relay. */
  relay: z.object({ url: z.string() }).optional(),
  /** Where pictures say their numbers, from 1 to `count`: when each was seen on the screen first, and its number. */
  frames: z
    .object({
      perSecond: z.number(),
      count: z.number(),
      shown: z.array(z.tuple([z.number(), z.number()])),
    })
    .optional(),
  decodedFrames: z.number().nullable(),
  droppedFrames: z.number().nullable(),
  decisions: z.array(z.object({ tMs: z.number(), from: z.string(), to: z.string(), why: z.string() })),
  errors: z.array(z.string()),
  /** What this browser could not give in the usual way; the values are there all the same. */
  warnings: z.array(z.string()).optional(),
});
export type VideoPlayer = z.infer<typeof videoPlayerSchema>;

/** All that a player fetched, pictures and sound. */
export function fetchedChunks({ chunks, sound }: VideoPlayer): readonly VideoPlayer['chunks'][number][] {
  return [...(chunks ?? []), ...(sound?.chunks ?? [])];
}

/** The page's first player, and what shared its path: other players at once, downloads next to it. */
export const videoSessionSchema = videoPlayerSchema.extend({
  others: z.array(videoPlayerSchema).optional(),
  crossTraffic: z
    .array(
      z.object({
        url: z.string(),
        bytes: z.number(),
        requestStartMs: z.number(),
        responseEndMs: z.number(),
        protocol: z.string(),
      }),
    )
    .optional(),
});
export type VideoSession = z.infer<typeof videoSessionSchema>;

/** The first player, which is measured, and those that shared its path. */
export function playersOf(session: VideoSession): readonly VideoPlayer[] {
  return [session, ...(session.others ?? [])];
}

/** Addresses of what the players or the download of a session gave up under way, one for each such request. */
export function abandonedUrls(session: Session | null): readonly string[] {
  if (session?.kind === 'download') return session.abandonedUrls ?? [];
  if (session?.kind !== 'video') return [];
  return playersOf(session).flatMap((player) => player.abandonedUrls ?? []);
}

/** What the download page leaves behind; times as above. `streams` has one entry a parallel request. */
export const downloadSessionSchema = z.object({
  kind: z.literal('download'),
  timeOriginEpochMs: z.number(),
  expectedBytes: z.number(),
  streams: z.array(
    z.object({
      url: z.string(),
      bytes: z.number(),
      /** From Resource Timing of the body's request. */
      requestStartMs: z.number(),
      connectStartMs: z.number(),
      connectEndMs: z.number(),
      responseStartMs: z.number(),
      responseEndMs: z.number(),
      /** When the script had read the last byte. */
      lastByteReadMs: z.number(),
      protocol: z.string(),
      /** Where the client lost its address on the way. */
      handover: z
        .object({
          lostMs: z.number(),
          /** When the first byte came that had not come before. */
          recoveredMs: z.number(),
          /** Of a request that was broken off: what of it is part of the body and not in `bytes`, and all that came. */
          keptBytes: z.number(),
          brokenBytes: z.number(),
        })
        .optional(),
      /** Where its connection took up the session of one before it. */
      resumption: z
        .object({
          /** What the arm says of it; absent in older runs. */
          asked: z.enum(['session', '0rtt']).optional(),
          /** Null: the client does not tell, and neither does the server's log. */
          resumed: z.boolean().nullable(),
          /** Whether the request was taken before the handshake had ended; null: neither the client nor the server's log tells. */
          earlyData: z.boolean().nullable(),
          /** Body bytes of the request before, which gave the ticket. */
          ticketBytes: z.number(),
          /** Whether that request is among the recorded ones. */
          isRecorded: z.boolean().optional(),
        })
        .optional(),
    }),
  ),
  /** Connections that loaded at the same time, and what each got. */
  contest: z
    .object({
      sampleMs: z.number(),
      /** The measured transfer first; `samples` are the bytes that had come, one every `sampleMs`. */
      flows: z.array(
        z.object({
          url: z.string(),
          protocol: z.string(),
          bytes: z.number(),
          samples: z.array(z.number()).nullable(),
        }),
      ),
      /** What the competing flows asked for; no protocol where no answer came before the end. */
      requests: z.array(z.object({ url: z.string(), protocol: z.string(), bytes: z.number() })).nullable(),
    })
    .optional(),
  /** Of a body that was asked for and left unread next to the measured ones, until these were whole. Absent: none was. */
  abandonedUrls: z.array(z.string()).optional(),
  errors: z.array(z.string()),
});
export type DownloadSession = z.infer<typeof downloadSessionSchema>;

/** What was uploaded, as the client tells of it; times as above. */
export const uploadSessionSchema = z.object({
  kind: z.literal('upload'),
  timeOriginEpochMs: z.number(),
  uploads: z.array(
    z.object({
      url: z.string(),
      /** Of the request's body, as far as the client gave it to its protocol. */
      sentBytes: z.number(),
      requestStartMs: z.number(),
      connectStartMs: z.number(),
      connectEndMs: z.number(),
      responseStartMs: z.number(),
      responseEndMs: z.number(),
      /** Of the answer's body. */
      answerBytes: z.number(),
      /** When the page was first told that everything is sent, as a progress bar shows it; absent: it is told nothing. */
      allSentMs: z.number().optional(),
      protocol: z.string(),
    }),
  ),
  errors: z.array(z.string()),
});
export type UploadSession = z.infer<typeof uploadSessionSchema>;

/** What a page that exchanged messages leaves behind; times as above, one entry a message in the order of sending. */
export const messageSessionSchema = z.object({
  kind: z.literal('messages'),
  timeOriginEpochMs: z.number(),
  transport: z.enum(messageTransports),
  /** Address of the session at the origin. */
  url: z.string(),
  messageBytes: z.number(),
  gapMs: z.number(),
  /** From the call that opens the session to the moment at which it may be used. */
  setupStartMs: z.number(),
  readyMs: z.number(),
  /** When each was handed to the transport; the first was due at `firstDueMs`, each other a gap after the one before it. */
  firstDueMs: z.number(),
  sentMs: z.array(z.number()),
  /** When its echo was there; null: it never came. */
  backMs: z.array(z.number().nullable()),
  /** Echoes that were there already, or of no message that was sent. */
  surplus: z.number(),
  /** What this browser lacks to do this at all; nothing was sent then. */
  lacks: z.string().optional(),
  errors: z.array(z.string()),
});
export type MessageSession = z.infer<typeof messageSessionSchema>;

export const sessionSchema = z.discriminatedUnion('kind', [
  videoSessionSchema,
  downloadSessionSchema,
  uploadSessionSchema,
  messageSessionSchema,
]);
export type Session = z.infer<typeof sessionSchema>;
