import { relative } from 'node:path';
import type { Gate } from '../../core/model/gate.ts';
import type { Notification, NotifyFile } from '../../core/model/notification.ts';

interface NightPlace {
  /** Folder of the run. */
  readonly folder: string;
  readonly reportPath: string;
  readonly resultsDir: string;
  readonly told: NotifyFile | null;
}

/** What a team is told of a night that has ended. */
export function notificationOf(gate: Gate, exitCode: number, place: NightPlace): Notification {
  const { folder, reportPath, resultsDir, told } = place;
  const at = (file: string): string => {
    if (told?.publishedAt === undefined) return file;
    const base = told.publishedAt.replace(/\/*$/, '/');
    return new URL(relative(resultsDir, file).replaceAll('\\', '/'), base).href;
  };
  return {
    schemaVersion: 1,
    run: gate.run,
    outcome: gate.trialsFailed && gate.outcome !== 'worse' ? 'failed' : gate.outcome,
    exitCode,
    headline: gate.headline,
    sentences: gate.comparisons.map(({ sentence }) => sentence),
    report: at(reportPath),
    picture: at(`${folder}/card.svg`),
  };
}

/** The same of a night that came to no end. */
export function failedNight(exitCode: number, reason: string): Notification {
  return {
    schemaVersion: 1,
    run: 'nightly',
    outcome: 'failed',
    exitCode,
    headline: [`The night failed: ${reason}`],
    sentences: [],
    report: null,
    picture: null,
  };
}
