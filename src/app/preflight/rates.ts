import { networkSpecs } from '../../../harness/network/registry.ts';
import type { NetworkSpec } from '../../core/model/network-spec.ts';
import { check } from './check.ts';

/** Browser, server and the emulator of the path on a CPU each, and one for the rest. */
const roomyCpus = 4;
/** What two CPUs were seen to carry with browser, server and emulator on them (docs/networks.md, "Capped"). */
const carriedMbps = 300;

/** The highest rate that one of its directions reaches, Mbit/s; 0 where neither has one. */
function peakMbps({ up, down }: NetworkSpec): number {
  const peaks = [up, down].map(({ rateMbps, trace, schedule = [] }) =>
    trace === undefined
      ? Math.max(rateMbps ?? 0, ...schedule.map((item) => item.rateMbps ?? 0))
      : (trace.capMbps ?? Infinity),
  );
  return Math.max(...peaks);
}

/**
 * A warning of what a machine of so few CPUs may not carry of a plan's paths. A link with offloads is the kernel's own and
 * costs next to nothing.
 */
export const rates = check('rates', ['cpuCount'], (plan, { cpuCount }) => {
  if (cpuCount >= roomyCpus) return [];
  const used = new Set(plan.trials.flatMap(({ network }) => network.split('/')));
  const specs = [...(plan.customNetworks ?? []), ...networkSpecs];
  const fast = [...used].flatMap((id) => {
    const spec = specs.find((spec) => spec.id === id);
    return spec === undefined || spec.offloads || peakMbps(spec) <= carriedMbps ? [] : [spec];
  });
  if (fast.length === 0) return [];
  const names = fast.map((spec) => `${spec.id} (up to ${rateText(peakMbps(spec))})`).join(', ');
  return [
    {
      code: 'unsupported',
      reason: `${cpuCount} CPUs may not carry ${names}: browser, server and emulator share them, and trials in which packets were late or lost by the machine become invalid`,
      next: `${roomyCpus} CPUs have room. A plan file with capMbps or a lower rate, or another --scale of a study, asks for less.`,
      trialIds: [],
    },
  ];
});

const rateText = (mbps: number): string =>
  Number.isFinite(mbps) ? `${mbps} Mbit/s` : 'whatever its trace reaches';
