/** The page's own promise of its raw results; see `driver: 'session'` of prepared workloads. */
export async function sessionResult(): Promise<string> {
  const page = globalThis as { h2h3Session?: Promise<unknown> };
  while (page.h2h3Session === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  const result = await page.h2h3Session;
  return typeof result === 'string' ? result : JSON.stringify(result);
}
