import type { RawTrial } from '../../core/model/raw-trial.ts';
import { evaluate } from '../../core/metrics/evaluate.ts';
import { finiteOrNull, sum } from '../../core/metrics/evidence/numbers.ts';
import type { DerivedPart } from './derived-part.ts';

/** What a trial cost client and server: CPU time by the operating system's accounting, and what probes counted. */
export function costMetrics(raw: RawTrial, carriedBytes: number): DerivedPart {
  const counted = { ...evaluate('counters', raw.counters ?? {}), ...serverCost(raw, carriedBytes) };
  const seconds = cpuSecondsByProcess(raw.cpu);
  if (seconds === undefined)
    return { metrics: counted, warnings: ['no CPU times of the browser were recorded'] };
  const networking = networkingProcess(raw, seconds);
  const cpu = evaluate('cpu', {
    allSeconds: seconds['all'] ?? 0,
    networkingSeconds: networking.seconds,
    wallMs: raw.measuredMs,
    carriedBytes,
  });
  return { metrics: { ...counted, ...cpu }, warnings: networking.warnings };
}

/** Nothing where the server is not ours. */
function serverCost({ serverCpu }: RawTrial, carriedBytes: number): DerivedPart['metrics'] {
  const seconds = cpuSecondsByProcess(serverCpu ?? null)?.['all'];
  return seconds === undefined ? {} : evaluate('serverCpu', { seconds, carriedBytes });
}

interface NetworkingProcess {
  readonly seconds: number | null;
  readonly warnings: readonly string[];
}

/**
 * CPU seconds of the process that does the networking: Chromium's network service. Firefox starts a socket process
 * too, but as shipped its parent process does the networking and other work.
 */
function networkingProcess(raw: RawTrial, seconds: Readonly<Record<string, number>>): NetworkingProcess {
  const network = seconds['network'] ?? 0;
  if (network > 0) return { seconds: network, warnings: [] };
  const parent = seconds['browser'];
  if (/firefox/i.test(raw.browser?.name ?? '') && parent !== undefined && parent > 0) {
    return {
      seconds: parent,
      warnings: ["networkServiceCpuPercent: Firefox's parent process does the networking and other work"],
    };
  }
  return {
    seconds: null,
    warnings: ['networkServiceCpuPercent: no CPU time of a networking process, or too little to be counted'],
  };
}

/** User plus system seconds by role, and their sum as `all`; undefined where none were recorded. */
export function cpuSecondsByProcess(cpu: RawTrial['cpu']): Record<string, number> | undefined {
  if (!Array.isArray(cpu) || cpu.length === 0) return undefined;
  const seconds: Record<string, number> = {};
  for (const { role, userSeconds, systemSeconds } of cpu) {
    seconds[role] =
      (seconds[role] ?? 0) + (finiteOrNull(userSeconds) ?? 0) + (finiteOrNull(systemSeconds) ?? 0);
  }
  return { ...seconds, all: sum(Object.values(seconds)) };
}
