/** What `npm run verify:exec` asks of curl: round trips and rates of HTTP/1.1, HTTP/2 and HTTP/3. */
import { join } from 'node:path';
import { readReport, runExec } from './exec-cases.ts';
import type { Reach, Tolerated, VerifyPlace } from './verify-reach.ts';

const requests = 60;

/** What curl wrote of each of its transfers: version, times in seconds, bytes. */
interface Transfers {
  readonly lines: readonly (readonly number[])[];
  /** Smallest wait for one byte on a connection that is open, ms. */
  readonly minWaitMs: number;
}

function transfersIn(stdout: string): Transfers {
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const waits = lines.slice(1, requests).map(([, sent = 0, first = 0]) => 1000 * (first - sent));
  return { lines, minWaitMs: Math.min(...waits) };
}

/** Rate between a small and a large file, as IP bytes of the path, Mbit/s. */
function rateOf({ lines }: Transfers, pathBytes: number): number {
  const [small = [], large = []] = lines.slice(requests);
  const loaded = lines.reduce((sum, [, , , , size = 0]) => sum + size, 0);
  const seconds = (large[3] ?? NaN) - (small[3] ?? NaN);
  return (((large[4] ?? NaN) - (small[4] ?? NaN)) * 8 * (pathBytes / loaded)) / 1e6 / seconds;
}

const versions = [
  ['HTTP/1.1', '--http1.1', 1.1],
  ['HTTP/2', '--http2', 2],
  ['HTTP/3', '--http3-only', 3],
] as const;

/**
 * A shell's script that asks one byte so often over one connection, then both files, of a server at this host.
 *
 * @param pauseMs from the start of one request to the next, at least
 */
function scriptOf(
  program: string,
  option: string,
  { host, webPort, pauseMs }: { readonly host: string; readonly webPort: number; readonly pauseMs: number },
): string {
  const url = (name: string): string => `-o /dev/null https://localhost:${webPort}/${name}`;
  const written =
    '%{http_version} %{time_pretransfer} %{time_starttransfer} %{time_total} %{size_download}\\n';
  const lead = `-sk --noproxy '*' --resolve "localhost:${webPort}:${host}"`;
  const ask = `${program} ${lead} ${option} -w '${written}'`;
  const bytes = Array.from({ length: requests }, () => url('byte')).join(' ');
  // A server at the far end may have begun to listen at another port alone.
  const wait = `tries=0; until ${program} ${lead} ${url('byte')} || [ $tries = 300 ]; do tries=$((tries + 1)); sleep 0.1; done`;
  const rate = pauseMs === 0 ? '' : `--rate ${Math.floor(1000 / pauseMs)}/s`;
  return `${wait}; ${ask} ${rate} ${bytes} && ${ask} ${url('small')} && ${ask} ${url('large')}`;
}

/**
 * The same transfers without a path, over one with the network's delays alone, and over the network. What the delays add is the
 * round trip: over the network the bytes of request and answer would take their time too. Without a path the requests come as
 * rarely, since both programs take longer for what comes after a rest.
 */
export async function verifyCurl(
  { user, folder, note }: VerifyPlace,
  program: string,
  reach: Reach,
  { spec, rttToleranceMs, rateTolerance }: Tolerated,
): Promise<void> {
  const rttMs = spec.up.delayMs + spec.down.delayMs;
  const rateMbps = spec.down.rateMbps ?? NaN;
  for (const [protocol, option, version] of versions) {
    const what = `${reach.title}, ${protocol}`;
    const json = join(user?.environment['HOME'] ?? folder, `curl${version}-${reach.family}.json`);
    const run = (words: readonly string[], host: string, pauseMs = 0) => {
      const script = scriptOf(program, option, { host, webPort: reach.webPort, pauseMs });
      return runExec(user, [...words, '--', 'sh', '-c', script], folder);
    };
    const bare = await run(['--network', 'none', ...reach.without], reach.hostWithout, rttMs);
    const delayed = await run(['--no-check', '--rtt', `${rttMs}ms`, ...reach.across], reach.hostAcross);
    const shaped = await run(['--network', spec.id, ...reach.across, '--json', json], reach.hostAcross);
    const without = transfersIn(bare.stdout);
    const later = transfersIn(delayed.stdout);
    const across = transfersIn(shaped.stdout);
    const all = [without, later, across];
    if (shaped.code !== 0 || all.some(({ lines }) => lines.length !== requests + 2)) {
      note(
        what,
        `exit ${shaped.code}: ${bare.stderr}${delayed.stderr}${shaped.stderr}${shaped.stdout}`,
        false,
      );
      continue;
    }
    const isSpoken = all.every(({ lines }) => lines.every(([found]) => found === version));
    note(`${what}, version`, isSpoken ? 'spoken by all' : shaped.stdout, isSpoken);
    const addedMs = later.minWaitMs - without.minWaitMs;
    note(
      `${what}, round trip`,
      `${addedMs.toFixed(2)} ms more than without, set ${rttMs} ± ${rttToleranceMs.toFixed(1)}`,
      Math.abs(addedMs - rttMs) <= rttToleranceMs,
    );
    const { runs, networks } = readReport(json);
    const { counters = {}, flows } = runs[0] ?? {};
    const mbps = rateOf(across, counters['emulatorDownBytes'] ?? counters['receivedBytes'] ?? NaN);
    note(
      `${what}, rate`,
      `${mbps.toFixed(2)} Mbit/s on the path, set ${rateMbps} ± ${rateMbps * rateTolerance}`,
      Math.abs(mbps - rateMbps) <= rateMbps * rateTolerance,
    );
    const isFamily = (flows ?? []).length > 0 && (flows ?? []).every(({ family }) => family === reach.family);
    note(`${what}, version of IP`, isFamily ? `IPv${reach.family} alone` : JSON.stringify(flows), isFamily);
    const checks = networks[0]?.checks ?? [];
    const off = checks.filter(({ ok }) => !ok).length;
    note(
      `${what}, check of the path`,
      `${checks.length - off} of ${checks.length} within tolerance`,
      off === 0,
    );
  }
}
