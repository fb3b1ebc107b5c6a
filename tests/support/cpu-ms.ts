const tries = 3;

/**
 * The least time of the CPU that some tries take, ms: other work on the machine lengthens it less than that of a clock, and a
 * collection of garbage lengthens one try.
 */
export function cpuMs(work: () => void): number {
  const each = Array.from({ length: tries }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...each);
}
