/** CPU time that this process spends on `work`, ms: unlike time on the clock it does not grow with what else the machine does. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many numbers are put in order for something whose cost is known: about a tenth of a second. */
const sortedCount = 300_000;

/** CPU time of `work` in multiples of what the same machine needs now to put 300 000 numbers in order. */
export async function sortsWorthOf(work: () => unknown): Promise<number> {
  const numbers = Array.from({ length: sortedCount }, (_, index) => (index * 2_654_435_761) % 2 ** 32);
  const sortMs = await cpuMsOf(() => numbers.sort((one, other) => one - other));
  return (await cpuMsOf(work)) / sortMs;
}
