import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { flameGraph, type TrialProfile } from '../../analyse/diagnosis/flame-graph.ts';
import { messageOf } from '../../model/errors.ts';
import type { Diagnosis, FlameGraph } from '../../model/diagnosis.ts';
import { readFolded } from '../../model/folded-stack.ts';
import type { TrialRecord } from '../../model/record.ts';
import type { Summary } from '../../model/summary.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { readInput } from '../../system/read-input.ts';

const sides = [
  ['client', 'profileClient'],
  ['server', 'profileServer'],
] as const;

/** Of each arm: more would change nothing that is seen. */
const mostTrials = 12;
/** Of folded text of one trial. */
const mostBytes = 64_000_000;

/** A summary whose differences have the flame graphs that their trials recorded; one that cannot be read is a warning. */
export function withFlameGraphs(directory: RunDirectory, summary: Summary): Summary {
  const { diagnosis } = summary;
  if (diagnosis === undefined) return summary;
  const { records } = directory.journal();
  const profiled = records.filter(({ status, artifacts }) => status === 'ok' && 'profileClient' in artifacts);
  if (profiled.length === 0) return summary;
  const warnings: string[] = [];
  const drawn = diagnosis.map((one) => {
    const flameGraphs = graphsOf(one, profiled, directory, warnings);
    return flameGraphs.length === 0 ? one : { ...one, flameGraphs };
  });
  return { ...summary, diagnosis: drawn, warnings: [...summary.warnings, ...warnings] };
}

function graphsOf(
  one: Diagnosis,
  records: readonly TrialRecord[],
  directory: RunDirectory,
  warnings: string[],
): FlameGraph[] {
  const ofArm = (arm: string | undefined): TrialRecord[] =>
    records
      .filter(
        (record) =>
          record.arm === arm &&
          record.workload === one.workload &&
          (one.client === undefined || one.client === 'by-arm' || record.client === one.client) &&
          (one.network === undefined || one.network === 'by-arm' || record.network === one.network) &&
          (one.server === undefined || one.server === 'by-arm' || record.server === one.server),
      )
      .slice(0, mostTrials);
  const [before, after] = [ofArm(one.baselineArm), ofArm(one.candidateArm)];
  return sides.flatMap(([side, artifact]) => {
    const read = (trials: readonly TrialRecord[]): TrialProfile[] =>
      trials.flatMap((trial) => profileOf(trial, artifact, directory, warnings));
    return flameGraph(side, read(before), read(after)) ?? [];
  });
}

function profileOf(
  { artifacts, counters = {}, trialId }: TrialRecord,
  artifact: string,
  directory: RunDirectory,
  warnings: string[],
): TrialProfile[] {
  const [file, sampleMs] = [artifacts[artifact], counters['profileSampleMs']];
  if (file === undefined || sampleMs === undefined) return [];
  try {
    const packed = readInput(join(directory.path, file), { what: 'samples of a trial' });
    const text = gunzipSync(packed, { maxOutputLength: mostBytes }).toString('utf8');
    return [{ stacks: readFolded(text), sampleMs }];
  } catch (thrown) {
    warnings.push(`the samples of ${trialId} cannot be read: ${messageOf(thrown)}`);
    return [];
  }
}
