import { flameGraph, type TrialProfile } from '../../analyse/diagnosis/flame-graph.ts';
import { messageOf } from '../../core/model/errors.ts';
import type { Diagnosis, FlameGraph } from '../../core/model/diagnosis.ts';
import { readFolded } from '../../core/model/folded-stack.ts';
import type { TrialRecord } from '../../core/model/record.ts';
import { readPackedText } from '../../store/evidence.ts';
import { pathInside } from '../../store/path-inside.ts';
import type { RunDirectory } from '../../store/run-directory.ts';
import { trialsOf } from './trials-of-diagnosis.ts';

const sides = [
  ['client', 'profileClient'],
  ['server', 'profileServer'],
] as const;

/** Of each arm: more would change nothing that is seen. */
const maxTrials = 12;
/** Of folded text of one trial. */
const maxBytes = 64_000_000;

/** What client and server computed in both arms; empty where their trials recorded nothing of it. */
export function flameGraphsOf(
  diagnosis: Diagnosis,
  records: readonly TrialRecord[],
  directory: RunDirectory,
  complain: (line: string) => void,
): FlameGraph[] {
  const [before = [], after = []] = [diagnosis.baselineArm, diagnosis.candidateArm].map((arm) =>
    trialsOf(diagnosis, arm, records).slice(0, maxTrials),
  );
  return sides.flatMap(([side, artifact]) => {
    const read = (trials: readonly TrialRecord[]): TrialProfile[] =>
      trials.flatMap((trial) => profileOf(trial, artifact, directory, complain));
    return flameGraph(side, read(before), read(after)) ?? [];
  });
}

function profileOf(
  { artifacts, counters = {}, trialId }: TrialRecord,
  artifact: string,
  directory: RunDirectory,
  complain: (line: string) => void,
): TrialProfile[] {
  const file = artifacts[artifact];
  const sampleMs = counters['profileSampleMs'];
  if (file === undefined || sampleMs === undefined) return [];
  try {
    const text = readPackedText(pathInside(directory.path, file), 'samples of a trial', maxBytes);
    return [{ stacks: readFolded(text), sampleMs }];
  } catch (thrown) {
    complain(`the samples of ${trialId} cannot be read: ${messageOf(thrown)}`);
    return [];
  }
}
