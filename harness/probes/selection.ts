import type { WorkloadKind } from '../../src/model/workload.ts';

/** What records during a trial. */
export interface Probes {
  /** Network events; without them there is no proof of the protocol. Only the measurement of the probes' own cost leaves them out. */
  readonly har: boolean;
  /** Frames of the viewport, for Speed Index and visual completeness. */
  readonly frames: boolean;
  /** CPU time of the browser's processes. */
  readonly cpu: boolean;
  /** An audit by Lighthouse in a navigation of its own, after the measured one. */
  readonly lighthouse: boolean;
}

const usual = ['har', 'frames', 'cpu'];

/**
 * Probes of one trial. A list that names any of `har`, `frames` and `cpu` names all that are wanted of them, any other
 * list wants all three; `no-` before a name takes it away. Network events are recorded in any case, but for
 * `no-har`. Frames are recorded of pages only: to encode each frame of a video would cost more than to play it.
 */
export function selectProbes(kind: WorkloadKind, asked: readonly string[]): Probes {
  const named = asked.some((name) => usual.includes(name));
  const wanted = (name: string): boolean => !asked.includes(`no-${name}`) && (!named || asked.includes(name));
  return {
    har: !asked.includes('no-har'),
    frames: kind === 'page' && wanted('frames'),
    cpu: wanted('cpu'),
    lighthouse: asked.includes('lighthouse'),
  };
}
