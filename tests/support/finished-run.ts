import { numericMetric } from '../../src/core/model/metrics.ts';
import { createRunDirectory } from '../../src/store/run-directory.ts';
import { environmentFixture } from './environment-fixture.ts';
import { generateRun } from './generated-run.ts';

/** Writes a generated run of two pages that is over; returns its values of `pltMs`. */
export function writeFinishedRun(path: string, seed: number): number[] {
  const { plan, records } = generateRun({ seed, blocks: 6 });
  const directory = createRunDirectory(path, plan, { latest: false });
  directory.writeEnvironment(environmentFixture(['chromium'], ['loopback']));
  records.forEach((record) => directory.append(record));
  return records.flatMap(({ metrics }) => numericMetric(metrics, 'pltMs') ?? []);
}
