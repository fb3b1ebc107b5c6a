import type { RawTrial } from '../../model/raw-trial.ts';
import { finiteOrNull, sum } from './part.ts';
import type { DerivedPart } from './part.ts';

/** The role that the probes give to the process which does the networking (Chromium's network service, Firefox's socket process). */
const networkRole = 'network';

const bytesPerGigabyte = 1e9;

/** Counters of the client's side that are metrics by their own name. */
const counterMetrics = [
  'packetsReceived',
  'packetsSent',
  'netifReceiveSkbCalls',
  'syscalls',
  'smoothedRttMs',
];

/**
 * CPU cost from the operating system's accounting: `cpuSeconds` (all processes of the browser), `networkServiceCpuPercent` and `browserCpuPercent` (CPU seconds
 * ÷ wall seconds between start and stop of the probes × 100), `cpuSecondsPerGigabyte` (10^9 bytes received).
 */
export function costMetrics(raw: RawTrial, receivedBytes: number): DerivedPart {
  const counters = Object.fromEntries(
    counterMetrics.flatMap((name) => {
      const value = finiteOrNull(raw.counters?.[name]);
      return value === null ? [] : [[name, value] as const];
    }),
  );
  const seconds = cpuSecondsByProcess(raw);
  if (seconds === undefined)
    return { metrics: counters, warnings: ['no CPU times of the browser were recorded'] };
  const all = seconds['all'] ?? 0;
  const network = seconds[networkRole];
  const warnings: string[] = [];
  if (network === undefined)
    warnings.push('networkServiceCpuPercent: no process of the browser does networking alone');
  return {
    metrics: {
      ...counters,
      cpuSeconds: all,
      browserCpuPercent: percentOfWall(all, raw.measuredMs),
      networkServiceCpuPercent: network === undefined ? null : percentOfWall(network, raw.measuredMs),
      cpuSecondsPerGigabyte: receivedBytes > 0 ? all / (receivedBytes / bytesPerGigabyte) : null,
    },
    warnings,
  };
}

/** User plus system seconds by role, and their sum as `all`; undefined where none were recorded. */
export function cpuSecondsByProcess(raw: RawTrial): Record<string, number> | undefined {
  if (!Array.isArray(raw.cpu) || raw.cpu.length === 0) return undefined;
  const seconds: Record<string, number> = {};
  for (const { role, userSeconds, systemSeconds } of raw.cpu) {
    seconds[role] =
      (seconds[role] ?? 0) + (finiteOrNull(userSeconds) ?? 0) + (finiteOrNull(systemSeconds) ?? 0);
  }
  return { ...seconds, all: sum(Object.values(seconds)) };
}

function percentOfWall(cpuSeconds: number, wallMs: number): number | null {
  return wallMs > 0 ? (cpuSeconds / (wallMs / 1000)) * 100 : null;
}
