/**
 * `npm run verify:truth [-- --write]`: how true h2h3-link, its proxy, DevTools' throttling, Toxiproxy and netem are on the same work: one
 * page of Chromium asks one Caddy over TCP (HTTP/2) and QUIC (HTTP/3), and an echo over WebSocket. What each adds to a round trip is
 * compared with the same without a network, and with what Chromium takes where the server itself waits so long. `--write` puts the table into docs/h2h3-link.md. Toxiproxy is fetched as a Go module.
 * As root it needs what `verify:exec` does. About three minutes on an idle machine.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureCaddy } from '../../harness/tools/caddy-binary.ts';
import { createSetupContext } from '../../harness/tools/setup-context.ts';
import { chooseAnyPort } from '../../src/core/system/free-port.ts';
import { startCaddy } from '../support/caddy-server.ts';
import { projectDir, startProgram } from '../support/cli.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { execWords } from './exec-cases.ts';
import { browserHere } from './link-world.ts';
import { askingPage, type Answers, type Asked } from './truth-page.ts';
import { startWebSocketEcho } from './echo-servers.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The link that each is asked for. */
const set = { rttMs: 80, downMbps: 10, upMbps: 2 } as const;
const figures = ['--down', '10mbit', '--up', '2mbit', '--rtt', '80ms'] as const;
const toxiproxy = 'github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0';
const toxiproxyStartMs = 10_000;

const cleanUps: (() => unknown)[] = [];
const scope = { after: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) };
const folder = mkdtempSync(join(tmpdir(), 'h2h3-truth-'));
scope.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
chmodSync(folder, 0o755);

/** What is the same for all of them. */
interface Work {
  /** Over every protocol. */
  readonly webPort: number;
  readonly socketPort: number;
  readonly program: string;
  /** Of the server's certificate, as Chromium takes it. */
  readonly keyHash: string;
}

/** Answers an upload when the whole of it has come, and any other request after `milliseconds=N`, with how many those were. @returns its port */
async function startSink(): Promise<number> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void request.resume().on('end', () => response.end());
    const beganMs = performance.now();
    const holdMs = Number(new URL(request.url ?? '', 'http://sink').searchParams.get('milliseconds'));
    setTimeout(() => response.end(String(performance.now() - beganMs)), holdMs);
  }).listen(0, '127.0.0.1');
  scope.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function startWork(program: string): Promise<Work> {
  const setup = await createSetupContext({ projectDir });
  const { path } = await ensureCaddy(setup);
  const own = await privateAuthority(folder, ['localhost']);
  for (const [name, bytes] of [
    ['byte', 1],
    ['small', 500_000],
    ['large', 3_000_000],
  ] as const)
    writeFileSync(join(folder, name), Buffer.alloc(bytes, 'a'));
  writeFileSync(join(folder, 'page.html'), '<!doctype html><link rel="icon" href="data:,">');
  const webPort = await chooseAnyPort();
  const sink = `127.0.0.1:${await startSink()}`;
  const cors = { 'Access-Control-Allow-Origin': ['*'], 'Cache-Control': ['no-store'] };
  const site = {
    listen: [`127.0.0.1:${webPort}`],
    routes: [
      { handle: [{ handler: 'headers', response: { set: cors } }] },
      {
        match: [{ method: ['POST'] }, { path: ['/held'] }],
        handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: sink }] }],
      },
      { handle: [{ handler: 'file_server', root: folder }] },
    ],
    tls_connection_policies: [{}],
    protocols: ['h1', 'h2', 'h3'],
    automatic_https: { disable: true },
  };
  await startCaddy(scope as never, path, { servers: { site }, files: [own] });
  const key = new X509Certificate(readFileSync(own.certificateFile)).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  const keyHash = createHash('sha256').update(key).digest('base64');
  return { webPort, socketPort: await startWebSocketEcho(scope), program, keyHash };
}

/** How one of them is put before the page. */
interface Contender {
  readonly name: string;
  /** Words of `h2h3 exec` before the page's; null: without. */
  readonly exec: readonly string[] | null;
  readonly environment?: Readonly<Record<string, string>>;
  readonly asked?: Partial<Asked>;
  /** What it cannot do is not asked for. */
  readonly without?: readonly ('QUIC' | 'WebSocket')[];
}

/** What it found, or why it could not be tried. */
async function answersOf(contender: Contender, work: Work): Promise<Answers | string> {
  const { exec, environment = {}, asked = {}, without = [] } = contender;
  const file = join(folder, 'page.mjs');
  writeFileSync(file, askingPage(import.meta.resolve('puppeteer-core')));
  const order: Asked = {
    program: work.program,
    keyHash: work.keyHash,
    webPort: work.webPort,
    socketPort: work.socketPort,
    throttle: null,
    asksQuic: !without.includes('QUIC'),
    heldMs: null,
    ...asked,
  };
  const page = [process.execPath, file, JSON.stringify(order)];
  const words = exec === null ? page : execWords(null, [...exec, '--', ...page]);
  const { code, stdout, stderr } = await startProgram(words, environment, { cwd: folder }).result;
  if (code === 0) return JSON.parse(stdout) as Answers;
  const [, sentence = stderr.slice(0, 800)] = /^h2h3: (.*)$/m.exec(stderr) ?? [];
  return sentence.replace(/\.$/, '');
}

/** What a round trip of this length is in the browser's own clock, where the server waits and nothing is between: no rates. */
const waitingServer = 'none, the server waits';

async function whileServerWaits(work: Work, bare: Answers): Promise<Answers | string> {
  const waiting = (heldMs: number) => answersOf({ name: waitingServer, exec: null, asked: { heldMs } }, work);
  const atOnce = await waiting(0);
  const held = await waiting(set.rttMs);
  if (typeof atOnce === 'string') return atOnce;
  if (typeof held === 'string') return held;
  // What leads to the server that waits is in both.
  const added = (key: 'tcpMs' | 'quicMs' | 'socketMs'): number =>
    (bare[key] ?? NaN) + (held[key] ?? NaN) - (atOnce[key] ?? NaN);
  return { ...held, tcpMs: added('tcpMs'), quicMs: added('quicMs'), socketMs: added('socketMs') };
}

/** Starts Toxiproxy before both ports. @returns its ports, or why it is not to be had */
async function startToxiproxy({ webPort, socketPort }: Work): Promise<Partial<Asked> | string> {
  const built = spawnSync('go', ['install', toxiproxy], {
    env: { ...process.env, GOBIN: folder },
    encoding: 'utf8',
  });
  if (built.status !== 0)
    return `no package registry gave it: ${(built.error?.message ?? built.stderr).trim()}`;
  const apiPort = await chooseAnyPort();
  const server = spawn(join(folder, 'server'), ['-host', '127.0.0.1', '-port', String(apiPort)], {
    stdio: 'ignore',
  });
  scope.after(() => server.kill());
  const api = `http://127.0.0.1:${apiPort}/proxies`;
  for (let waitedMs = 0; !(await isUp(api)); waitedMs += 100) {
    if (waitedMs > toxiproxyStartMs) return 'Toxiproxy did not start';
    await sleep(100);
  }
  const post = async (address: string, body: object): Promise<void> => {
    const { ok, status } = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
    if (!ok) throw new Error(`Toxiproxy answers ${status} to ${address}`);
  };
  const lead = async (name: string, upstreamPort: number): Promise<number> => {
    const port = await chooseAnyPort();
    await post(api, {
      name,
      listen: `127.0.0.1:${port}`,
      upstream: `127.0.0.1:${upstreamPort}`,
      enabled: true,
    });
    for (const [stream, mbps] of [
      ['upstream', set.upMbps],
      ['downstream', set.downMbps],
    ] as const) {
      const toxics = `${api}/${name}/toxics`;
      await post(toxics, { type: 'latency', stream, attributes: { latency: set.rttMs / 2 } });
      // Its kilobytes are 1000 bytes.
      await post(toxics, { type: 'bandwidth', stream, attributes: { rate: mbps * 125 } });
    }
    return port;
  };
  return { webPort: await lead('web', webPort), socketPort: await lead('socket', socketPort) };
}

async function isUp(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false; // it has not begun to listen
  }
}

const rows: readonly (readonly [keyof Answers, string, number, 'added' | 'whole'])[] = [
  ['tcpMs', 'HTTP/2, round trip, ms', set.rttMs, 'added'],
  ['tcpDownMbps', 'HTTP/2, download, Mbit/s', set.downMbps, 'whole'],
  ['tcpUpMbps', 'HTTP/2, upload, Mbit/s', set.upMbps, 'whole'],
  ['quicMs', 'HTTP/3, round trip, ms', set.rttMs, 'added'],
  ['quicDownMbps', 'HTTP/3, download, Mbit/s', set.downMbps, 'whole'],
  ['quicUpMbps', 'HTTP/3, upload, Mbit/s', set.upMbps, 'whole'],
  ['socketMs', 'WebSocket, round trip, ms', set.rttMs, 'added'],
];

/** As Markdown; payload alone is counted, which is 3 to 5 % below what crosses a link. */
function tableOf(found: ReadonlyMap<string, Answers | string>, bare: Answers): string {
  const whole = [...found].filter((entry): entry is [string, Answers] => typeof entry[1] !== 'string');
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = rows.map(([key, title, wanted, kind]) =>
    line([
      title,
      String(wanted),
      ...whole.map(([name, all]) => {
        const measured = all[key];
        if (measured === null) return name === waitingServer ? '–' : 'not carried';
        return (kind === 'added' ? measured - (bare[key] ?? NaN) : measured).toFixed(1);
      }),
    ]),
  );
  const head = ['quantity', 'set', ...whole.map(([name]) => name)];
  const absent = [...found].flatMap(([name, all]) =>
    typeof all === 'string' ? [`- ${name} was not measured: ${all}`] : [],
  );
  return [
    line(head),
    line(head.map(() => '---')),
    ...lines,
    '',
    'Rates are of payload, which is 3 to 5 % below what crosses a link. Round trips are what each adds. Where the server waits, nothing is',
    'between: what is more than set there is Chromium’s own.',
    ...(absent.length === 0 ? [] : ['', ...absent]),
  ].join('\n');
}

try {
  const chromium = await browserHere('chromium');
  if (typeof chromium === 'string') throw new Error(chromium);
  const work = await startWork(chromium.program);
  const bare = await answersOf({ name: 'none', exec: null }, work);
  if (typeof bare === 'string') throw new Error(bare);
  const local = [work.webPort, work.socketPort].flatMap((port) => ['--local', String(port)]);
  const toxic = await startToxiproxy(work);
  const throttle = {
    latency: set.rttMs,
    downloadThroughput: set.downMbps * 125_000,
    uploadThroughput: set.upMbps * 125_000,
  };
  const contenders: Contender[] = [
    { name: 'h2h3-link', exec: ['--no-check', ...figures, ...local] },
    { name: 'h2h3-link --proxy', exec: ['--proxy', ...figures], without: ['QUIC'] },
    {
      name: 'netem',
      exec: ['--no-check', ...figures, ...local],
      environment: { H2H3_PATH_BACKEND: 'netem' },
    },
    { name: "DevTools' throttling", exec: null, asked: { throttle } },
    ...(typeof toxic === 'string'
      ? []
      : [{ name: 'Toxiproxy', exec: null, asked: toxic, without: ['QUIC'] as const }]),
  ];
  const found = new Map<string, Answers | string>([
    [waitingServer, await whileServerWaits(work, bare)],
    ...(typeof toxic === 'string' ? [['Toxiproxy', toxic] as const] : []),
  ]);
  for (const contender of contenders) {
    say(`${contender.name} …`);
    found.set(contender.name, await answersOf(contender, work));
  }
  const table = tableOf(found, bare);
  say(table);
  const own = found.get('h2h3-link');
  if (own === undefined || typeof own === 'string') process.exitCode = 1;
  if (values.write) {
    const page = join(projectDir, 'docs/h2h3-link.md');
    const text = readFileSync(page, 'utf8').replace(
      /(<!-- truth -->\n)[^]*?(\n<!-- \/truth -->)/,
      (_, open: string, close: string) => `${open}\n${table}\n${close}`,
    );
    writeFileSync(page, text);
    spawnSync('npx', ['prettier', '--write', page], { cwd: projectDir, stdio: 'inherit' });
  }
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}
