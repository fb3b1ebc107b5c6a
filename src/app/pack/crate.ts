import { extname } from 'node:path';
import type { PackedFile } from '../../store/run-archive.ts';
import type { Environment } from '../../core/model/environment.ts';
import type { Plan } from '../../core/model/plan.ts';
import type { TrialRecord } from '../../core/model/record.ts';

/** The file that makes a folder a research object, by RO-Crate 1.1 (https://w3id.org/ro/crate/1.1). */
export const crateFile = 'ro-crate-metadata.json';

const profile = 'https://w3id.org/ro/wfrun/process/0.5';
const licence = 'https://spdx.org/licenses/MIT';
const reference = (id: string): { readonly '@id': string } => ({ '@id': id });

const mediaTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.md': 'text/markdown',
  '.xml': 'application/xml',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.gz': 'application/gzip',
  '.cff': 'application/yaml',
};

export interface RunToDescribe {
  readonly plan: Plan;
  readonly environment: Environment | null;
  readonly records: readonly TrialRecord[];
  readonly files: readonly PackedFile[];
}

function fileEntity({ name, sizeBytes, sha256 }: PackedFile): object {
  return {
    '@id': encodeURI(name),
    '@type': 'File',
    name,
    contentSize: String(sizeBytes),
    encodingFormat: mediaTypes[extname(name)] ?? 'application/octet-stream',
    sha256,
  };
}

/** When the run began and ended, by its records; the beginning of 1980 for one without times. */
function timesOf(records: readonly TrialRecord[]): { readonly start: string; readonly end: string } {
  const times = records.flatMap(({ startedAt }) => startedAt ?? []).toSorted();
  const fallback = '1980-01-01T00:00:00.000Z';
  return { start: times[0] ?? fallback, end: times.at(-1) ?? fallback };
}

/**
 * The metadata of an archive as a Process Run Crate 0.5: one action, h2h3 its instrument, the plan its object, everything
 * else its result. It holds no time of packing, so that packing twice gives the same bytes.
 */
export function crateOf({ plan, environment, records, files }: RunToDescribe): string {
  const { start, end } = timesOf(records);
  const names = files.map(({ name }) => encodeURI(name));
  const graph = [
    {
      '@id': crateFile,
      '@type': 'CreativeWork',
      about: reference('./'),
      conformsTo: reference('https://w3id.org/ro/crate/1.1'),
    },
    {
      '@id': './',
      '@type': 'Dataset',
      name: `h2h3 run ${plan.name}`,
      description: `Plan, records, evidence and reports of a run of h2h3 (${plan.command}).`,
      datePublished: end,
      license: reference(licence),
      conformsTo: reference(profile),
      hasPart: names.map(reference),
      mentions: [reference('#run')],
    },
    { '@id': profile, '@type': 'CreativeWork', name: 'Process Run Crate', version: '0.5' },
    { '@id': licence, '@type': 'CreativeWork', name: 'MIT License', identifier: 'MIT', url: licence },
    {
      '@id': '#h2h3',
      '@type': 'SoftwareApplication',
      name: 'h2h3',
      version: environment?.h2h3.version ?? 'unknown',
      softwareVersion: environment?.h2h3.gitRevision ?? environment?.h2h3.version ?? 'unknown',
      url: 'https://www.npmjs.com/package/h2h3',
    },
    {
      '@id': '#run',
      '@type': 'CreateAction',
      name: `measurement of ${plan.name}`,
      description: plan.command,
      instrument: reference('#h2h3'),
      object: [reference('plan.json')],
      result: names.filter((name) => name !== 'plan.json').map(reference),
      startTime: start,
      endTime: end,
      actionStatus: reference('http://schema.org/CompletedActionStatus'),
      agent: reference('#operator'),
    },
    { '@id': '#operator', '@type': 'Person', name: 'operator of the run' },
    ...files.map(fileEntity),
  ];
  return `${JSON.stringify({ '@context': 'https://w3id.org/ro/crate/1.1/context', '@graph': graph }, null, 1)}\n`;
}
