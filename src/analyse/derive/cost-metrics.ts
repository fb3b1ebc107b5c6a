import type { RawTrial } from '../../model/raw-trial.ts';
import { finiteOrNull, sum } from './part.ts';
import type { DerivedPart } from './part.ts';

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
  const networking = networkingProcess(raw, seconds);
  return {
    metrics: {
      ...counters,
      cpuSeconds: all,
      browserCpuPercent: percentOfWall(all, raw.measuredMs),
      networkServiceCpuPercent:
        networking.seconds === null ? null : percentOfWall(networking.seconds, raw.measuredMs),
      cpuSecondsPerGigabyte: receivedBytes > 0 ? all / (receivedBytes / bytesPerGigabyte) : null,
    },
    warnings: networking.warnings,
  };
}

interface NetworkingProcess {
  readonly seconds: number | null;
  readonly warnings: readonly string[];
}

/**
 * CPU seconds of the process that does the networking: Chromium's network service. Firefox starts a socket process
 * too, but as shipped its parent process does the networking, beside other work.
 */
function networkingProcess(raw: RawTrial, seconds: Readonly<Record<string, number>>): NetworkingProcess {
  const network = seconds['network'] ?? 0;
  if (network > 0) return { seconds: network, warnings: [] };
  const parent = seconds['browser'];
  if (/firefox/i.test(raw.browser?.name ?? '') && parent !== undefined && parent > 0) {
    return {
      seconds: parent,
      warnings: ["networkServiceCpuPercent: Firefox's parent process does the networking, beside other work"],
    };
  }
  return {
    seconds: null,
    warnings: ['networkServiceCpuPercent: no CPU time of a networking process, or too little to be counted'],
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
