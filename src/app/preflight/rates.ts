import { networkSpecs } from '../../../harness/network/registry.ts';
import type { NetworkSpec } from '../../core/model/network-spec.ts';
import { check } from './check.ts';

/** Browser, server and the emulator of the path on a CPU each, and one for the rest. */
const roomyCpus = 4;
/** What two CPUs were seen to carry with browser, server and emulator on them (docs/networks.md, "Capped"). */
const carriedMbps = 300;
/** Up to where the emulator was measured (docs/networks.md, "How exact it is"). No number of CPUs says that it carries more. */
const emulatedMbps = 1000;

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
  const isRoomy = cpuCount >= roomyCpus;
  const limitMbps = isRoomy ? emulatedMbps : carriedMbps;
  const used = new Set(plan.trials.flatMap(({ network }) => network.split('/')));
  const specs = [...(plan.customNetworks ?? []), ...networkSpecs];
  const fast = [...used].flatMap((id) => {
    const spec = specs.find((spec) => spec.id === id);
    if (spec === undefined || spec.offloads || peakMbps(spec) <= limitMbps) return [];
    // Of a trace without a cap it is not known, and with CPUs enough not supposed.
    return isRoomy && !Number.isFinite(peakMbps(spec)) ? [] : [spec];
  });
  if (fast.length === 0) return [];
  const names = fast.map((spec) => `${spec.id} (up to ${rateText(peakMbps(spec))})`).join(', ');
  if (isRoomy)
    return [
      {
        code: 'unsupported',
        reason: `the emulator of the path was tried up to ${rateText(emulatedMbps)} and may not carry ${names}: trials in which packets were late or lost by the machine become invalid`,
        next: 'Ask for a lower rate: of a plan file capMbps, of an audience downMbps and upMbps.',
        trialIds: [],
      },
    ];
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
