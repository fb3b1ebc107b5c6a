/**
 * `npm run verify:exec [-- --kills 20 --network dsl]`: what commands behind a path get, as root and as an ordinary user. The
 * path's check and its time. Round trip within 0.5 ms and rate within 2 %, by curl over HTTP/1.1, HTTP/2 and HTTP/3 and over WebSocket,
 * and loss of datagrams within its interval: to servers of this machine by `--local`, and to servers at the far end over IPv4 and IPv6.
 * A shell pipeline; tests of Playwright in Chromium, scripts in Firefox and WebKitGTK; SIGKILL at so many instants. About seven minutes on an idle
 * machine; changes interfaces while it runs.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resolveClient } from '../../harness/clients/resolve-client.ts';
import { curl } from '../../harness/clients/commands/curl.ts';

import { networkSpecs } from '../../harness/network/registry.ts';
import { ipv6Lack } from '../../harness/network/shaped-network.ts';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { formatTable } from '../../src/cli/table.ts';
import { messageOf } from '../../src/core/model/errors.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { caddyDocument, startCaddy, type CaddySetting } from '../support/caddy-server.ts';
import { projectDir, type CliResult } from '../support/cli.ts';
import { ordinaryUser, type OrdinaryUser } from '../support/ordinary-user.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { startEchoes } from './echo-servers.ts';
import { killExec, runExec, startSite } from './exec-cases.ts';
import { runPlaywright } from './playwright-case.ts';
import { verifyCurl } from './verify-curl.ts';
import { farReach, localReach, type Reach } from './verify-reach.ts';
import { verifyLoss, verifyWebSocket } from './verify-transports.ts';

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

/** Files on a Caddy, over every protocol, and echoes: on this machine's loopback, and as they are started at a far end. */
async function startReaches(): Promise<readonly [local: Reach, ...far: Reach[]]> {
  const setup = await createSetupContext({ projectDir });
  const { path } = await ensureCaddy(setup);
  const own = await privateAuthority(folder, ['localhost']);
  // A server at the far end runs as whoever asks.
  chmodSync(own.keyFile, 0o644);
  writeFileSync(join(folder, 'small'), Buffer.alloc(2_000_000, 'a'));
  writeFileSync(join(folder, 'large'), Buffer.alloc(8_000_000, 'a'));
  writeFileSync(join(folder, 'byte'), 'a');
  const settingAt = (listen: readonly string[]): CaddySetting => ({
    servers: {
      site: {
        listen,
        routes: [{ handle: [{ handler: 'file_server', root: folder }] }],
        tls_connection_policies: [{}],
        protocols: ['h1', 'h2', 'h3'],
        automatic_https: { disable: true },
      },
    },
    files: [own],
  });
  const port = await chooseAnyPort();
  await startCaddy(scope, path, settingAt([`127.0.0.1:${port}`]));
  const echoes = await startEchoes(scope, '127.0.0.1', { udpPort: 0, socketPort: 0 });
  const far = (family: 4 | 6): Promise<Reach> =>
    farReach(family, path, folder, (listen) => caddyDocument(settingAt(listen)));
  const reaches = [localReach(port, echoes), await far(4)] as const;
  const lack = ipv6Lack();
  if (lack === null) return [...reaches, await far(6)];
  say(`left out: IPv6: ${lack.message}`);
  return reaches;
}

const spec = networkSpecs.find(({ id }) => id === values.network);
if (spec === undefined || spec.down.rateMbps === null)
  throw new Error('name a network whose rate does not vary');
const network = spec.id;
const rttMs = spec.up.delayMs + spec.down.delayMs;
const rttToleranceMs = 0.5;
const tolerated = { spec, rttToleranceMs, rateTolerance: 0.02 };

/** About a second, with the start of its programs. */
const checkLimitMs = 1500;

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
  noteWait(who, 'exec -- a script of Puppeteer, Firefox', await runExec(user, across, folder));
}

/** The system's WebKitGTK, which its driver drives over a port of the near end. */
async function webkit(user: OrdinaryUser | null): Promise<void> {
  const who = nameOf(user);
  const setup = await createSetupContext({ projectDir });
  const found = await resolveClient('webkit', setup).catch((thrown: unknown) => messageOf(thrown));
  if (typeof found === 'string') return say(`left out: webkit: ${found}`);
  const port = await startSite(scope);
  const program = join(import.meta.dirname, 'webkit-page.ts');
  const words = [
    found.executablePath,
    found.environment['H2H3_XVFB'] ?? '',
    `http://localhost:${port}/300000`,
  ];
  const across = ['--no-check', '--network', network, '--local', String(port), '--', process.execPath];
  const result = await runExec(user, [...across, program, ...words], folder);
  noteWait(who, 'exec -- a script of WebDriver, WebKit', result);
}

/** A page that was waited for, as a script prints it: at least a round trip, in a secure context. */
function noteWait(
  who: string,
  what: string,
  { code, stdout, stderr }: Pick<CliResult, 'code' | 'stdout' | 'stderr'>,
): void {
  const [waitedMs = '', isSecure] = stdout.trim().split(' ');
  const isRight = code === 0 && Number(waitedMs) >= rttMs - rttToleranceMs - 1 && isSecure === 'true';
  note(who, what, code === 0 ? `${waitedMs} ms, secure ${isSecure}` : stderr, isRight);
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
  const reaches = await startReaches();
  const [local] = reaches;
  for (const user of users) {
    const place = {
      user,
      folder,
      scope,
      note: (what: string, found: string, isRight: boolean) => note(nameOf(user), what, found, isRight),
    };
    for (const reach of reaches) {
      if (program !== undefined) await verifyCurl(place, program, reach, tolerated);
      await verifyWebSocket(place, reach, tolerated);
      await verifyLoss(place, reach);
    }
    if (program !== undefined) await pipeline(user, program, local.webPort);
    await checkTime(user);
    await playwright(user);
    await firefox(user);
    await webkit(user);
  }
  for (const user of users) await kills(user, Math.ceil(Number(values.kills) / users.length));
  say(formatTable([['as', 'what', 'found', ''], ...rows]));
  say(`${rows.length} checks, ${faults} wrong`);
  process.exitCode = faults === 0 && rows.length > 0 ? 0 : 1;
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
