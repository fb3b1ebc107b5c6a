import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { TransportSeries } from '../../src/core/model/transport-series.ts';

const file = 'transport-series.json.gz';

/** Writes the connections of a trial's server over time; returns the artifact. */
export async function keepSeries(
  connections: TransportSeries['connections'],
  trialDir: string,
): Promise<Record<string, string>> {
  const series: TransportSeries = { schemaVersion: 1, connections };
  await writeFile(join(trialDir, file), gzipSync(JSON.stringify(series)));
  return { transportSeries: file };
}
