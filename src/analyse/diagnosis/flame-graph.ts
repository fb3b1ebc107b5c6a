import type { FlameGraph, FlameNode } from '../../core/model/diagnosis.ts';
import type { FoldedStack } from '../../core/model/folded-stack.ts';

/** The samples of one trial. */
export interface TrialProfile {
  readonly stacks: readonly FoldedStack[];
  /** CPU time that a sample stands for. */
  readonly sampleMs: number;
}

/** Narrower frames cannot be read, and are thousands. */
const minShare = 0.005;
/** Recursion and runtimes nest deeper than anybody reads. */
const maxFrames = 48;

interface Growing {
  baselineMs: number;
  candidateMs: number;
  readonly children: Map<string, Growing>;
}

const empty = (): Growing => ({ baselineMs: 0, candidateMs: 0, children: new Map() });

/** One graph of both arms, as means of their trials; null where an arm has no samples. */
export function flameGraph(
  side: FlameGraph['side'],
  baseline: readonly TrialProfile[],
  candidate: readonly TrialProfile[],
): FlameGraph | null {
  if (baseline.length === 0 || candidate.length === 0) return null;
  const root = empty();
  add(root, baseline, 'baselineMs');
  add(root, candidate, 'candidateMs');
  const minMs = minShare * Math.max(root.baselineMs, root.candidateMs);
  return {
    side,
    baselineTrials: baseline.length,
    candidateTrials: candidate.length,
    minShare,
    root: nodeOf('all', root, minMs),
  };
}

function add(root: Growing, trials: readonly TrialProfile[], arm: 'baselineMs' | 'candidateMs'): void {
  for (const { stacks, sampleMs } of trials)
    for (const { frames, samples } of stacks) {
      const ms = (samples * sampleMs) / trials.length;
      let node = root;
      node[arm] += ms;
      for (const frame of frames.slice(0, maxFrames)) {
        const child = node.children.get(frame) ?? empty();
        node.children.set(frame, child);
        child[arm] += ms;
        node = child;
      }
    }
}

function nodeOf(name: string, { baselineMs, candidateMs, children }: Growing, minMs: number): FlameNode {
  const shown = [...children]
    .filter(([, child]) => largest(child) >= minMs)
    .toSorted(([, a], [, b]) => largest(b) - largest(a))
    .map(([frame, child]) => nodeOf(frame, child, minMs));
  return {
    name,
    baselineMs: rounded(baselineMs),
    candidateMs: rounded(candidateMs),
    ...(shown.length === 0 ? {} : { children: shown }),
  };
}

function largest({ baselineMs, candidateMs }: Growing): number {
  return Math.max(baselineMs, candidateMs);
}

/** A hundredth of a millisecond is below what one sample stands for. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
