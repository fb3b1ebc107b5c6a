import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownFailure } from '../../../reports/html/sections/journey-failures.ts';
import { messageOf } from '../../core/model/errors.ts';
import {
  failureFile,
  failureScreenshotFile,
  journeyFailureSchema,
} from '../../core/model/journey-failure.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { readDocument } from '../../store/read-document.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { readInput } from '../../core/system/read-input.ts';

/** A journey that fails does so in each of its trials; one picture of each way is enough. */
const maxShown = 3;
const maxScreenshotBytes = 1_000_000;

export interface ShownFailures {
  readonly failures: readonly ShownFailure[];
  readonly warnings: readonly string[];
}

/** In how many ways journeys failed, the most frequent first, each with what the page of its first trial showed. */
export function journeyFailures(directory: RunDirectory, records: readonly TrialRecord[]): ShownFailures {
  const failed = records.filter(({ artifacts }) => artifacts['failure'] !== undefined);
  const warnings: string[] = [];
  const failures = [...Map.groupBy(failed, ({ reason }) => reason ?? '').values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxShown)
    .flatMap((alike): ShownFailure[] => {
      const [first] = alike;
      if (first === undefined) return [];
      try {
        return [shownFailure(directory, first, alike.length)];
      } catch (thrown) {
        warnings.push(`${first.trialId}: what its page showed cannot be read: ${messageOf(thrown)}`);
        return [];
      }
    });
  return { failures, warnings };
}

function shownFailure(directory: RunDirectory, record: TrialRecord, trialCount: number): ShownFailure {
  const folder = directory.trialDir(record.trialId);
  const failure = readDocument(join(folder, failureFile), journeyFailureSchema, {
    what: 'what the page of a failed journey showed',
    next: 'Remove it, or measure again.',
  });
  const { trialId, workload, arm, client, network, blockIndex } = record;
  const picture = join(folder, failureScreenshotFile);
  return {
    ...failure,
    trialId,
    workload,
    arm,
    client,
    network,
    blockIndex,
    trialCount,
    screenshot: existsSync(picture) ? dataOf(picture) : null,
  };
}

function dataOf(file: string): string {
  const jpeg = readInput(file, { what: 'a picture', limitBytes: maxScreenshotBytes, followLink: false });
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
}
