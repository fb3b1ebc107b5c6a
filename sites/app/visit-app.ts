import http, { type IncomingHttpHeaders } from 'node:http';
import tls from 'node:tls';
import { H2h3Error, hasErrno } from '../../src/core/model/errors.ts';
import { publicOrigin, type AppHost, type AppRoute } from '../../src/core/model/app-under-test.ts';
import type { LiveAccess } from '../../src/core/model/live-access.ts';
import { maxHeaderBytes } from '../../src/core/model/message-head.ts';
import { AppAddresses } from './map-addresses.ts';
import { wireAddressOf } from '../../src/core/model/wire-address.ts';

/** Apps that are built when they are first asked take their time. */
const firstByteLimitMs = 60_000;
/** A document whose answer goes on for longer has no load time. */
const usualBodyLimitMs = 15_000;
const handshakeLimitMs = 3_000;
const maxRedirects = 10;

export interface AppVisit {
  /** The header `server`; null where there is none. */
  readonly server: string | null;
  /** How long the app thought before the document began, ms. */
  readonly thinkMs: number;
}

interface VisitOptions {
  readonly route: AppRoute;
  readonly access: LiveAccess | undefined;
  /** A script logs in, or something else does before the page is measured: a page that asks who is there is none to refuse. */
  readonly logsIn: boolean;
  readonly signal: AbortSignal;
  /** Longest time from the first byte of a page to its last, ms. Default: 15 s. */
  readonly bodyLimitMs?: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly thinkMs: number;
  readonly ended: boolean;
}

/**
 * Asks an app for a page as a server of ours will, before anything is measured, so that what is wrong is said in one sentence.
 *
 * @throws H2h3Error `unsupported` where nothing answers, `bad-input` for what cannot be measured
 */
export async function visitApp(page: URL, options: VisitOptions): Promise<AppVisit> {
  const addresses = new AppAddresses(options.route);
  let host = options.route.hosts[0];
  let { path } = wireAddressOf(page);
  const seen = new Set<string>();
  for (let count = 0; count <= maxRedirects && host !== undefined; count++) {
    const answer = await ask(host, path, addresses.askedHost(host), options);
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || answer.status === 304 || location === undefined) {
      await requirePage({ host, path, page, answer, addresses, options });
      return { server: [answer.headers.server ?? []].flat()[0] ?? null, thinkMs: answer.thinkMs };
    }
    const here = publicOrigin(host, options.route.port) + path;
    const to = URL.parse(addresses.toPublic(location), here);
    seen.add(here);
    const next =
      to === null
        ? undefined
        : options.route.hosts.find((own) => publicOrigin(own, options.route.port) === to.origin);
    if (to === null || next === undefined) throw leadsAway(page, to?.href ?? location);
    host = next;
    ({ path } = wireAddressOf(to));
    if (seen.has(publicOrigin(host, options.route.port) + path)) break;
  }
  throw new H2h3Error('bad-input', `${page.href} leads on without end`, {
    next: 'If the app insists on HTTPS, let it trust the header X-Forwarded-Proto. If it wants a log-in, give one (--login, --storage-state).',
  });
}

function leadsAway(page: URL, to: string): H2h3Error {
  const target = URL.parse(to);
  const isItself = target?.hostname === page.hostname;
  return new H2h3Error(
    'bad-input',
    `${page.href} leads on to ${target?.origin ?? to}, which is no part of the app`,
    {
      next: isItself
        ? 'Let the app trust the headers X-Forwarded-Proto and X-Forwarded-Host, or name that place: --app NAME=http://HOST:PORT.'
        : 'If it is a log-in elsewhere, start behind it (--storage-state). Measure another site with --url.',
    },
  );
}

interface Judged {
  readonly host: AppHost;
  readonly path: string;
  readonly page: URL;
  readonly answer: Answer;
  readonly addresses: AppAddresses;
  readonly options: VisitOptions;
}

/** @throws H2h3Error `bad-input` for an answer that is no page */
async function requirePage(judged: Judged): Promise<void> {
  const { page, answer, options } = judged;
  const { status, ended } = answer;
  const { bodyLimitMs = usualBodyLimitMs } = options;
  if (status >= 500)
    throw new H2h3Error('bad-input', `${page.href} answers with status ${status}`, {
      next: 'Look at what the app says of it. If it needs time to start, name an address that answers when it is ready: --server-ready.',
    });
  if (status >= 400) await refuseWithOwnHost(judged);
  if (status === 401 && !options.logsIn) throw notLetIn(page, options.access);
  if (status >= 400 && status !== 401)
    throw new H2h3Error('bad-input', `${page.href} answers with status ${status}`, {
      next: 'Name an address that the app has, such as --app http://localhost:3000/products.',
    });
  if (!ended)
    throw new H2h3Error('bad-input', `the answer of ${page.href} is not over after ${bodyLimitMs / 1000} s`, {
      next: 'A page that streams without end has no load time. Name another address of the app.',
    });
}

/** Many development servers answer to no host but their own. @throws H2h3Error `bad-input` for one of these */
async function refuseWithOwnHost({ host, path, page, answer, addresses, options }: Judged): Promise<void> {
  const asked = addresses.askedHost(host);
  const own = new URL(host.origin).host;
  if (asked === own) return;
  const again = await ask(host, path, own, options);
  if (again.status >= 400) return;
  throw new H2h3Error(
    'bad-input',
    `${page.href} accepts no host but its own: status ${answer.status} as ${asked}, ${again.status} as ${own}`,
    { next: `Add ${host.host} to the hosts that the app allows, or ask it by its own: --app-host own.` },
  );
}

function notLetIn(page: URL, access: LiveAccess | undefined): H2h3Error {
  return new H2h3Error(
    'bad-input',
    `${page.href} requires a log-in (status 401)${access === undefined ? '' : ', and does not take what was given'}`,
    { next: 'Give --basic-auth, --header, --cookie, --storage-state or --login.' },
  );
}

/** @throws H2h3Error `unsupported` where nothing answers, `bad-input` where TLS is expected */
async function ask(host: AppHost, path: string, asked: string, options: VisitOptions): Promise<Answer> {
  const { hostname, port } = new URL(host.origin);
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) };
  const headers = headersOf(host, asked, options);
  const answer = await answerOf({ ...place, path, headers, signal: options.signal }, options).catch(
    async (thrown: Error) => {
      throw await notReached(host, place, thrown);
    },
  );
  // Servers that expect TLS say so in plain text, with this status.
  if (answer.status === 400 && (await speaksTls(place))) throw speaksTlsError(host);
  return answer;
}

function answerOf(
  asked: http.RequestOptions,
  { bodyLimitMs = usualBodyLimitMs }: VisitOptions,
): Promise<Answer> {
  const sentMs = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.request({
      ...asked,
      agent: false,
      timeout: firstByteLimitMs,
      maxHeaderSize: maxHeaderBytes,
    });
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      const answer = { status, headers, thinkMs: performance.now() - sentMs };
      const timer = setTimeout(() => {
        resolve({ ...answer, ended: false });
        response.destroy();
      }, bodyLimitMs);
      response.resume();
      response.on('error', () => undefined);
      response.once('close', () => {
        clearTimeout(timer);
        resolve({ ...answer, ended: true });
      });
    });
    request.once('timeout', () =>
      request.destroy(new Error(`no answer within ${firstByteLimitMs / 1000} s`)),
    );
    request.once('error', reject);
    request.end();
  });
}

/** As the way to the app will send them. */
function headersOf(
  host: AppHost,
  asked: string,
  { route, access }: VisitOptions,
): Readonly<Record<string, string>> {
  return {
    host: asked,
    accept: 'text/html,*/*;q=0.8',
    'user-agent': 'Mozilla/5.0 h2h3',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': new URL(publicOrigin(host, route.port)).host,
    ...headersOfAccess(host, access),
  };
}

function headersOfAccess({ host }: AppHost, access: LiveAccess | undefined): Record<string, string> {
  if (access === undefined) return {};
  const saved = access.state.cookies.filter(({ domain }) =>
    `.${host}`.endsWith(`.${domain.replace(/^\./, '')}`),
  );
  const cookies = [...saved, ...access.cookies].map(({ name, value }) => `${name}=${value}`);
  return {
    ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
    ...Object.fromEntries(access.headers.map(({ name, value }) => [name, value])),
  };
}

interface Target {
  readonly host: string;
  readonly port: number;
}

async function notReached(host: AppHost, place: Target, thrown: Error): Promise<H2h3Error> {
  const [first] = thrown instanceof AggregateError ? (thrown.errors as unknown[]) : [thrown];
  const cause = first instanceof Error ? first.message : thrown.message;
  const isRefused = hasErrno(first, 'ECONNREFUSED');
  if (!isRefused && (await speaksTls(place))) return speaksTlsError(host);
  return new H2h3Error('unsupported', `no app answers at ${host.origin}: ${cause}`, {
    next: "Start it, or have it started: --server-command 'npm start'.",
    cause: thrown,
  });
}

const speaksTlsError = ({ origin }: AppHost): H2h3Error =>
  new H2h3Error('bad-input', `${origin} speaks TLS already, and --app is for apps over plain HTTP`, {
    next: `Measure it with the server that it has: npx h2h3 run --url ${origin.replace(/^http:/, 'https:')}/ --insecure`,
  });

function speaksTls({ host, port }: Target): Promise<boolean> {
  return new Promise((resolve) => {
    // Whose certificate it shows does not matter here.
    const socket = tls.connect({ host, port, rejectUnauthorized: false, timeout: handshakeLimitMs });
    const end = (speaks: boolean): void => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
