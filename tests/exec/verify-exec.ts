/**
 * `npm run verify:exec [-- --kills 20 --network dsl]`: what commands behind a path get, as root and as an ordinary user. The
 * path's check and its time, then curl over HTTP/1.1, HTTP/2 and HTTP/3 to a Caddy on this machine: round trip and rate. Loss of datagrams, round
 * trips of WebSocket, and TCP over IPv6 to a server at the far end. A shell pipeline;
 * tests of Playwright in Chromium, a script in Firefox; SIGKILL at so many instants. About four minutes on an idle machine; changes
 * interfaces while it runs.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { curl } from '../../harness/clients/commands/curl.ts';
import { networkSpecs } from '../../harness/network/registry.ts';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { formatTable } from '../../src/cli/table.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { startCaddy } from '../support/caddy-server.ts';
import { projectDir } from '../support/cli.ts';
import { ordinaryUser, type OrdinaryUser } from '../support/ordinary-user.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { killExec, readReport, runExec, startSite } from './exec-cases.ts';
import { runPlaywright } from './playwright-case.ts';
import { verifyIpv6, verifyLoss, verifyWebSocket } from './verify-transports.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, network: { type: 'string', default: 'dsl' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const rows: string[][] = [];
let faults = 0;

const nameOf = (user: OrdinaryUser | null): string => (user === null ? 'root' : 'ordinary user');

/** A row of the result; what is not as it should be counts. */
function note(who: string, what: string, found: string, isRight: boolean): void {
  rows.push([who, what, found, isRight ? 'as it should' : 'WRONG']);
  say(`${who}, ${what}: ${found}${isRight ? '' : '  WRONG'}`);
  if (!isRight) faults += 1;
}

const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) } as never;
const folder = mkdtempSync(join(tmpdir(), 'h3x-'));
cleanUps.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
chmodSync(folder, 0o755);

/** Two files on a Caddy at this machine's loopback, over every protocol. @returns its port */
async function startHttp3(): Promise<number> {
  const setup = await createSetupContext({ projectDir });
  const { path } = await ensureCaddy(setup);
  const own = await privateAuthority(folder, ['localhost']);
  writeFileSync(join(folder, 'small'), Buffer.alloc(2_000_000, 'a'));
  writeFileSync(join(folder, 'large'), Buffer.alloc(8_000_000, 'a'));
  writeFileSync(join(folder, 'byte'), 'a');
  const port = 20_000 + (process.pid % 10_000);
  const routes = [{ handle: [{ handler: 'file_server', root: folder }] }];
  const site = {
    listen: [`127.0.0.1:${port}`],
    routes,
    tls_connection_policies: [{}],
    protocols: ['h1', 'h2', 'h3'],
    automatic_https: { disable: true },
  };
  await startCaddy(scope, path, { servers: { site }, files: [own] });
  return port;
}

const spec = networkSpecs.find(({ id }) => id === values.network);
if (spec === undefined || spec.down.rateMbps === null)
  throw new Error('name a network whose rate does not vary');
const network = spec.id;
const rttMs = spec.up.delayMs + spec.down.delayMs;
const rateMbps = spec.down.rateMbps;
/** Of the path's own check: max(0.5 ms, 2 %), and 2 % of the rate. */
const rttToleranceMs = Math.max(0.5, 0.02 * rttMs);
const rateTolerance = 0.02;
const tolerated = { spec, rttToleranceMs, rateTolerance };

/** A request for one byte as an IP packet, about: it takes its time on a slow uplink. */
const requestBytes = 150;
const requestMs = spec.up.rateMbps === null ? 0 : (requestBytes * 8) / 1000 / spec.up.rateMbps;
const requests = 60;
/** About a second, with the start of its programs. */
const checkLimitMs = 1500;

/** What curl wrote of each of its transfers: version, times in seconds, bytes. */
interface Transfers {
  readonly lines: readonly (readonly number[])[];
  /** Smallest wait for one byte on a connection that is open, ms. */
  readonly minWaitMs: number;
}

function transfersOf(lines: readonly (readonly number[])[]): Transfers {
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

/** The same transfers without a path and over it: what the path adds is its round trip. */
async function measureCurl(user: OrdinaryUser | null, program: string, port: number): Promise<void> {
  const who = nameOf(user);
  for (const [protocol, option, version] of versions) {
    const json = join(user?.environment['HOME'] ?? folder, `curl${version}.json`);
    const url = (name: string): string => `-o /dev/null https://localhost:${port}/${name}`;
    const written =
      '%{http_version} %{time_pretransfer} %{time_starttransfer} %{time_total} %{size_download}\\n';
    const bytes = Array.from({ length: requests }, () => url('byte')).join(' ');
    const ask = `${program} -sk ${option} --noproxy '*' -w '${written}'`;
    const script = `${ask} ${bytes} && ${ask} ${url('small')} && ${ask} ${url('large')}`;
    const path = ['--network', `none,${network}`, '--local', String(port), '--json', json];
    const { code, stdout, stderr } = await runExec(user, [...path, '--', 'sh', '-c', script], folder);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    const half = requests + 2;
    if (code !== 0 || lines.length !== 2 * half) {
      note(who, `curl ${protocol}`, `exit ${code}: ${stderr}${stdout}`, false);
      continue;
    }
    const without = transfersOf(lines.slice(0, half));
    const across = transfersOf(lines.slice(half));
    const isSpoken = lines.every(([found]) => found === version);
    note(who, `curl ${protocol}, version`, isSpoken ? 'spoken by all' : stdout, isSpoken);
    const addedMs = across.minWaitMs - without.minWaitMs - requestMs;
    note(
      who,
      `curl ${protocol}, round trip`,
      `${addedMs.toFixed(2)} ms more than without, set ${rttMs} ± ${rttToleranceMs.toFixed(1)}`,
      Math.abs(addedMs - rttMs) <= rttToleranceMs,
    );
    const { runs, networks } = readReport(json);
    const { counters = {} } = runs[1] ?? {};
    const mbps = rateOf(across, counters['emulatorDownBytes'] ?? counters['receivedBytes'] ?? NaN);
    note(
      who,
      `curl ${protocol}, rate`,
      `${mbps.toFixed(2)} Mbit/s on the path, set ${rateMbps} ± ${rateMbps * rateTolerance}`,
      Math.abs(mbps - rateMbps) <= rateMbps * rateTolerance,
    );
    const checks = networks[1]?.checks ?? [];
    const off = checks.filter(({ ok }) => !ok).length;
    note(who, 'check of the path', `${checks.length - off} of ${checks.length} within tolerance`, off === 0);
  }
}

/** What the check of a path adds to a command, by default. */
async function checkTime(user: OrdinaryUser | null): Promise<void> {
  const tookMs = async (words: readonly string[]): Promise<number> => {
    const beganMs = performance.now();
    await runExec(user, [...words, '--network', network, '--no-outside', '--', 'true'], folder);
    return performance.now() - beganMs;
  };
  const addedMs: number[] = [];
  for (let time = 0; time < 3; time += 1) addedMs.push((await tookMs([])) - (await tookMs(['--no-check'])));
  const [, medianMs = NaN] = addedMs.toSorted((a, b) => a - b);
  note(
    nameOf(user),
    'time of the check',
    `${medianMs.toFixed(0)} ms (median of 3), at most ${checkLimitMs}`,
    medianMs <= checkLimitMs,
  );
}

async function pipeline(user: OrdinaryUser | null, program: string, port: number): Promise<void> {
  const who = nameOf(user);
  const script = `${program} -sk --http3-only https://localhost:${port}/small | tr a b | wc -c`;
  const words = ['--no-check', '--network', network, '--local', String(port), '--', 'sh', '-c', script];
  const { code, stdout } = await runExec(user, words, folder);
  note(who, 'shell pipeline over HTTP/3', stdout.trim(), code === 0 && stdout.trim() === '2000000');
}

/** The program of a browser of this machine; null, and said, where it has none. */
async function programOf(name: 'chromium' | 'firefox'): Promise<string | null> {
  const setup = await createSetupContext({ projectDir });
  const found = await resolveClient(name, setup).catch((thrown: unknown) => messageOf(thrown));
  if (typeof found !== 'string') return found.executablePath;
  say(`left out: ${name}: ${found}`);
  return null;
}

async function playwright(user: OrdinaryUser | null): Promise<void> {
  const who = nameOf(user);
  const executablePath = await programOf('chromium');
  if (executablePath === null) return;
  const port = await startSite(scope);
  const project = (name: string, h2h3: object | null) => ({
    folder: join(folder, `${who.replace(' ', '-')}-${name}`),
    user,
    port,
    browserName: 'chromium' as const,
    launchOptions: { executablePath },
    h2h3,
    minMs: rttMs - rttToleranceMs,
  });
  const across = ['--no-check', '--network', network, '--local', String(port)];
  const inside = await runPlaywright(project('exec', null), across);
  const found = inside.code === 0 ? 'passed' : inside.said || inside.stderr;
  note(who, 'exec -- playwright test, Chromium', found, inside.code === 0);
  const { code, said, attached } = await runPlaywright(project('fixture', { network }));
  const bytes = attached?.counters['receivedBytes'] ?? 0;
  const isRight = code === 0 && bytes > 300_000;
  note(who, 'h2h3/playwright, Chromium', code === 0 ? `passed, ${bytes} bytes` : said, isRight);
}

/**
 * Playwright drives a Firefox of its own, or one that is newer than the systems have: here a script of Puppeteer drives the
 * system's, over a port of the near end.
 */
async function firefox(user: OrdinaryUser | null): Promise<void> {
  const who = nameOf(user);
  const executablePath = await programOf('firefox');
  if (executablePath === null) return;
  const port = await startSite(scope);
  const file = join(folder, `${who.replace(' ', '-')}-firefox.mjs`);
  writeFileSync(
    file,
    `import puppeteer from '${import.meta.resolve('puppeteer-core')}';
const browser = await puppeteer.launch({ browser: 'firefox', executablePath: '${executablePath}', headless: true });
const page = await browser.newPage();
await page.goto('http://localhost:${port}/300000');
console.log(await page.evaluate(() => {
  const [own] = performance.getEntriesByType('navigation');
  return (own.responseStart - own.requestStart) + ' ' + isSecureContext;
}));
await browser.close();
`,
  );
  const across = ['--no-check', '--network', network, '--local', String(port), '--', process.execPath, file];
  const { code, stdout, stderr } = await runExec(user, across, folder);
  const [waitedMs = '', isSecure] = stdout.trim().split(' ');
  const isRight = code === 0 && Number(waitedMs) >= rttMs - rttToleranceMs - 1 && isSecure === 'true';
  note(
    who,
    'exec -- a script of Puppeteer, Firefox',
    code === 0 ? `${waitedMs} ms, secure ${isSecure}` : stderr,
    isRight,
  );
}

async function kills(user: OrdinaryUser | null, count: number): Promise<void> {
  const who = nameOf(user);
  const port = await startSite(scope);
  for (let index = 0; index < count; index += 1) {
    const afterMs = 200 + Math.round((index / count) * 3_000);
    const kill = await killExec({
      user,
      folder,
      port,
      afterMs,
      goneLimitMs: 10_000,
      wholeMachine: user === null,
    });
    const { faults: left, goneMs, atWork, namespaces } = kill;
    const state = `${atWork ? 'command at work' : 'before the command'}, ${namespaces} namespaces`;
    const found = left.length > 0 ? left.join('; ') : `nothing left after ${(goneMs / 1000).toFixed(1)} s`;
    note(who, `SIGKILL after ${afterMs} ms`, `${state}: ${found}`, left.length === 0);
  }
}

try {
  const setup = await createSetupContext({ projectDir });
  const program = await curl.tool?.find(setup);
  const users: (OrdinaryUser | null)[] = [];
  const ordinary = ordinaryUser(join(folder, 'user'));
  if (typeof ordinary === 'string') say(`left out: ordinary user: ${ordinary}`);
  else users.push(ordinary);
  if (process.getuid?.() === 0) users.push(null);
  else say('left out: root, which does not run this');
  if (program === undefined) say('left out: curl, which is not here: npx h2h3 setup');
  const port = await startHttp3();
  for (const user of users) {
    if (program !== undefined) await measureCurl(user, program, port);
    if (program !== undefined) await pipeline(user, program, port);
    const place = {
      user,
      folder,
      scope,
      note: (what: string, found: string, isRight: boolean) => note(nameOf(user), what, found, isRight),
    };
    await checkTime(user);
    await verifyLoss(place);
    await verifyWebSocket(place, tolerated);
    await verifyIpv6(place, tolerated);
    await playwright(user);
    await firefox(user);
  }
  for (const user of users) await kills(user, Math.ceil(Number(values.kills) / users.length));
  say(formatTable([['as', 'what', 'found', ''], ...rows]));
  say(`${rows.length} checks, ${faults} wrong`);
  process.exitCode = faults === 0 && rows.length > 0 ? 0 : 1;
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
