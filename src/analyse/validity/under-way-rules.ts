import type { TrialEvidence } from '../../core/model/derive.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import { wireKeyOf } from '../../core/model/wire-address.ts';
import { endsOfApp } from './app-rules.ts';
import { invalid, type Finding } from './finding.ts';
import { isSocket } from './log-book.ts';
import { failsAsRecorded } from './miss-rules.ts';

/**
 * Requests that had begun when the load was taken to be at rest, and whose answers the end of the trial cut off: less was
 * loaded than the page asks for. The browser's timeline has no line for them, so the server's log alone tells of them, of
 * timed and recorded trials alike. Sessions end by themselves and say what they gave up.
 */
export function underWayFindings({ raw, workload }: TrialEvidence): readonly Finding[] {
  const { restEpochMs, serverLog, session } = raw;
  if (restEpochMs === undefined || serverLog === null || session !== null) return [];
  const ends = endsOfApp(raw.app);
  // An app may answer without end, but not what has a length.
  const cut = new Set((raw.app?.cut ?? []).map(wireKeyOf));
  const isExpected = failsAsRecorded(workload.replay);
  return serverLog
    .filter((entry) => isUnderWay(entry, restEpochMs))
    .filter((entry) => ends(entry) || cut.has(entry.host + entry.path))
    .filter((entry) => !isExpected(addressOf(entry)))
    .map((entry) =>
      invalid(
        'under-way',
        `${addressOf(entry)} was still under way when the load seemed to be at rest: ${entry.bytes} body bytes were sent`,
      ),
    );
}

function isUnderWay(entry: ServerLogEntry, restEpochMs: number): boolean {
  const { startEpochMs, durationMs, path } = entry;
  // What a browser asks for by itself is no object of the page.
  if (isSocket(entry) || /^\/favicon\.ico($|\?)/.test(path)) return false;
  return startEpochMs < restEpochMs && startEpochMs + durationMs > restEpochMs;
}

const addressOf = ({ host, path }: ServerLogEntry): string => `https://${host}${path}`;
