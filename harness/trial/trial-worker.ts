/**
 * Serves one trial of a client of the family that it is given and ends: reads `WorkerCommand` lines from standard input, writes
 * `WorkerMessage` lines on standard output. When its standard input ends, or on SIGTERM, it kills its browser, removes the profile
 * and ends.
 */
import { CpuAffinity } from '../../src/core/system/processes/cpu-affinity.ts';

// Modules are loaded after this, on whatever CPU is idle.
const affinity = await CpuAffinity.widen();
const { serveTrial } = await import('./worker.ts');
await serveTrial(affinity, process.argv[2] ?? '');
