/** CPU time that this process spends on `work`, ms: unlike time on the clock it does not grow with what else the machine does. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
