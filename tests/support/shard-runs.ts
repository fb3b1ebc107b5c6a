import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../src/core/model/environment.ts';
import { createRunDirectory } from '../../src/store/run-directory.ts';
import { environmentFixture } from './environment-fixture.ts';
import type { GeneratedRun } from './generated-run.ts';

export interface ShardRunsOptions {
  /** Number of shards. */
  readonly count: number;
  /** Changes a host's environment. */
  readonly environment?: (environment: Environment, index: number) => Environment;
}

/** Writes the shards of a generated run, each as its host would have left it; returns their folders. */
export function writeShardRuns(
  folder: string,
  { plan, records }: GeneratedRun,
  { count, environment = (same) => same }: ShardRunsOptions,
): string[] {
  const byTrial = new Map(records.map((record) => [record.trialId, record]));
  return Array.from({ length: count }, (_, i) => {
    const index = i + 1;
    const path = join(folder, `part-${index}`);
    const command = `${plan.command} --shard ${index}/${count} --out part-${index}`;
    const directory = createRunDirectory(
      path,
      { ...plan, command, shard: { index, count } },
      { latest: false },
    );
    const host = `lab-${index}`;
    directory.writeEnvironment(environment({ ...environmentFixture(['chromium'], ['host']), host }, index));
    for (const { trialId } of directory.plan.trials) {
      const record = byTrial.get(trialId);
      if (record === undefined) continue;
      mkdirSync(join(path, 'trials', trialId));
      writeFileSync(join(path, 'trials', trialId, 'note.txt'), trialId);
      directory.append({ ...record, host });
    }
    return path;
  });
}
