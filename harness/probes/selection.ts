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

export const probeTitles: Readonly<Record<keyof Probes, string>> = {
  har: 'network events of every object (always on)',
  frames: 'frames of the viewport, for Speed Index (pages only)',
  cpu: 'CPU seconds by process from the operating system (always on)',
  lighthouse: 'Lighthouse audit in a navigation of its own (Chromium family; on request)',
};

/**
 * Probes of one trial: what its kind of workload always has, what was asked for by name, and less what was
 * asked for with `no-` before the name. Frames are of pages only, whoever asks: plans name them by default.
 */
export function selectProbes(kind: WorkloadKind, asked: readonly string[]): Probes {
  const on = (name: keyof Probes, byDefault: boolean): boolean =>
    !asked.includes(`no-${name}`) && (byDefault || asked.includes(name));
  return {
    har: on('har', true),
    // Playback paints all the time: frames of it would disturb the session, and no metric is made of them.
    frames: kind === 'page' && on('frames', true),
    cpu: on('cpu', true),
    lighthouse: on('lighthouse', false),
  };
}
