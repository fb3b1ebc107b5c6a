import { z } from 'zod';
import { jsonOf, parseForeignJson } from '../../core/model/bounded-json.ts';

/** A run that waits for workers, as its coordinator says it in the queue. */
export interface Announcement {
  readonly runId: string;
  /** Of h2h3. */
  readonly version: string;
  /** When its coordinator said so last, ms since 1970. */
  readonly renewedEpochMs: number;
}

/** Something that has the place of an announcement and is none. */
export interface UnusableAnnouncement {
  readonly runId: string;
  readonly reason: string;
}

/** A coordinator says anew every few seconds that its run goes on; one that is killed may go on a day later. */
export const announcementLifeMs = 24 * 60 * 60_000;

/** It becomes part of keys and of a queue's name. */
const runIdForm = /^[0-9a-f-]{1,64}$/;

/** The last moment that a date can have. */
const lastEpochMs = 8.64e15;

const announcementSchema = z.object({
  version: z.string().regex(/^[^\p{Cc}]{1,100}$/u),
  renewedEpochMs: z.number().min(0).max(lastEpochMs),
});

export function announcementText({ version, renewedEpochMs }: Omit<Announcement, 'runId'>): string {
  return JSON.stringify({ version, renewedEpochMs });
}

/** Whether a run may be called so. */
export const isRunId = (runId: string): boolean => runIdForm.test(runId);

/** An entry of the queue for a run, by any writer. */
export function readAnnouncement(runId: string, text: string): Announcement | UnusableAnnouncement {
  if (!isRunId(runId)) return { runId, reason: 'it has no name that h2h3 gives a run' };
  const parsed = announcementSchema.safeParse(jsonOf(text, parseForeignJson));
  return parsed.success ? { runId, ...parsed.data } : { runId, reason: 'it is no announcement of h2h3' };
}

export function isUsable(announcement: Announcement | UnusableAnnouncement): announcement is Announcement {
  return 'version' in announcement;
}

/** Whether no host spoke of it for a day; also one of a day to come, which no coordinator wrote: clocks are compared first. */
export function isExpired({ renewedEpochMs }: Announcement, nowEpochMs: number): boolean {
  return Math.abs(nowEpochMs - renewedEpochMs) > announcementLifeMs;
}
