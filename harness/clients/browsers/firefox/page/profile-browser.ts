/** Runs in Firefox's window, with the browser's own privileges. */
declare const Services: {
  readonly profiler: {
    StartProfiler(entries: number, intervalMs: number, features: string[], threads: string[]): Promise<void>;
    dumpProfileToFileAsync(path: string): Promise<void>;
    StopProfiler(): Promise<void>;
  };
};

/** Entries of 8 bytes that each process keeps, the last ones: 32 MB. */
const entries = 4_194_304;
const intervalMs = 1;

/** Samples every process of the browser. */
export async function startProfiler(): Promise<void> {
  await Services.profiler.StartProfiler(
    entries,
    intervalMs,
    ['stackwalk', 'cpu', 'js'],
    ['GeckoMain', 'Socket Thread', 'Compositor', 'Renderer', 'DNS Resolver'],
  );
}

/** Writes what was seen of all processes and ends it. */
export async function stopProfiler(path: string): Promise<void> {
  await Services.profiler.dumpProfileToFileAsync(path);
  await Services.profiler.StopProfiler();
}
