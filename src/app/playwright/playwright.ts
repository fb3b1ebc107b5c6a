/**
 * What tests of Playwright import as `h2h3/playwright`: `test` with a browser behind a path. The test itself stays outside,
 * with its web server and its requests; only what the browser sends crosses the path. Loaded by Playwright's own processes,
 * so nothing of the harness is imported that needs another Node; another process keeps the path up.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatBytes } from '../../../reports/format/numbers.ts';
import type { LinkChange, LinkConnection, LinkDescription, OwnNetwork } from '../exec/link-types.ts';
import { ownWords } from '../version.ts';
import { browserProgram } from './browser-program.ts';
import { openLink } from './path-link.ts';
import { originsOf, protocolOptions, type ForcedProtocol } from './protocol-options.ts';

/*
 * Playwright's types, where it is installed, otherwise `any`, and a test is type-checked all the same. The declarations
 * that are made of this file keep such a comment on a type, but not on an import.
 */
/* eslint-disable @typescript-eslint/ban-ts-comment */
/** @ts-ignore */
type TestFixtures = import('playwright/test').PlaywrightTestArgs & PlaywrightTestOptions;
/** @ts-ignore */
type PlaywrightTestOptions = import('playwright/test').PlaywrightTestOptions;
/** @ts-ignore */
type WorkerFixtures = import('playwright/test').PlaywrightWorkerArgs & PlaywrightWorkerOptions;
/** @ts-ignore */
type PlaywrightWorkerOptions = import('playwright/test').PlaywrightWorkerOptions;
/** @ts-ignore */
type Installed = import('playwright/test').TestType<TestFixtures, WorkerFixtures & OwnWorkerFixtures>;
/** @ts-ignore */
type Expect = import('playwright/test').Expect;
/* eslint-enable @typescript-eslint/ban-ts-comment */

type Body = (fixtures: TestFixtures & WorkerFixtures & OwnWorkerFixtures) => unknown;

/** What is checked of a test without Playwright's types. */
interface TestWithoutTypes {
  (name: string, body: Body): void;
  readonly use: (options: { readonly h2h3?: H2h3Options }) => void;
  readonly describe: (name: string, body: () => void) => void;
  readonly step: <T>(name: string, body: () => T | Promise<T>) => Promise<T>;
  readonly beforeEach: (body: Body) => void;
  readonly afterEach: (body: Body) => void;
}

/*
 * Of a base that cannot be found nothing is inherited, and of two that differ the first counts. A conditional type would be
 * no way: with a type that cannot be found it becomes one that allows everything.
 */
/* eslint-disable @typescript-eslint/ban-ts-comment */
/** @ts-ignore */
export interface H2h3Test extends Installed, TestWithoutTypes {}
/* eslint-enable @typescript-eslint/ban-ts-comment */

/**
 * `test.use({ h2h3: … })` at the top of a file, or `use: { h2h3: … }` in the configuration: a network by its name, or by figures such as
 * `{ down: '10mbit', rtt: '80ms' }`. Without either nothing is done.
 */
export interface H2h3Options extends OwnNetwork {
  /** By name, as `npx h2h3 describe networks` or `npx h2h3-link networks` lists them. */
  readonly network?: string;
  /** Factors of the link, such as `{ mtu: '1400' }`. */
  readonly set?: Readonly<Record<string, string>>;
  /** Ports of this machine's localhost that are reached across the path. Default: those of `baseURL` and `webServer`. */
  readonly local?: readonly number[];
  /** The only protocol that the browser may use, for `origins`. Default: what the browser does by itself. */
  readonly protocol?: ForcedProtocol;
  /** `host:port`, for which `h3` is forced. Default: that of `baseURL`. */
  readonly origins?: readonly string[];
  /** Measures the path before the first test, about a second. Default: no. */
  readonly check?: boolean;
}

/** What crossed the path during a test; attached to it as `h2h3`. */
export interface LinkReport {
  readonly network: LinkDescription;
  /** Of the test alone, by name. */
  readonly counters: Readonly<Record<string, number>>;
  /** Connections since the test began; null where the link does not count them. */
  readonly flows: readonly LinkConnection[] | null;
}

/** The path of a worker. */
export interface H2h3Link {
  readonly description: LinkDescription;
  /** What has crossed it since the test began. */
  report(): Promise<LinkReport>;
  /** Changes it until the test ends: `'outage'`, figures, or `{}` for its own figures again. */
  set(change: LinkChange | 'outage'): Promise<void>;
}

interface OwnLink extends H2h3Link {
  readonly launched: () => boolean;
  readonly program: (program: string) => Promise<string>;
  readonly begin: (seed: number) => Promise<void>;
}

interface OwnWorkerFixtures {
  /** Null without a network. */
  readonly h2h3Link: H2h3Link | null;
  readonly h2h3: H2h3Options;
}

/** The part of Playwright that is called here; its types may not be there. */
interface TestInfo {
  readonly repeatEachIndex: number;
  readonly annotations: {
    push(annotation: { readonly type: string; readonly description: string }): unknown;
  };
  attach(name: string, what: { readonly body: string; readonly contentType: string }): Promise<void>;
}
interface WorkerInfo {
  readonly project: { readonly use: Settings };
  readonly config: { readonly webServer?: { readonly url?: string; readonly port?: number } | null };
}
interface Settings {
  readonly baseURL?: string;
  readonly channel?: string;
  readonly headless?: boolean;
}
interface LaunchOptions extends Settings {
  readonly executablePath?: string;
  readonly args?: readonly string[];
  readonly firefoxUserPrefs?: Readonly<Record<string, string | number | boolean>>;
}
interface Worker {
  readonly h2h3: H2h3Options;
  readonly h2h3Link: OwnLink | null;
  readonly launchOptions: LaunchOptions;
  readonly browserName: string;
  readonly playwright: Readonly<Record<string, { executablePath(): string }>>;
  readonly browser: unknown;
}
type Use<Value> = (value: Value) => Promise<void>;
interface PlaywrightTest {
  readonly test: { extend(fixtures: object): unknown };
  readonly expect: unknown;
}

/** Of the project whose tests run, so that there is one of it. @throws Error where it is not installed */
function playwrightTest(): PlaywrightTest {
  const places = [pathToFileURL(join(process.cwd(), 'package.json')).href, import.meta.url];
  for (const place of places)
    for (const name of ['@playwright/test', 'playwright/test']) {
      const require = createRequire(place);
      try {
        require.resolve(name);
      } catch {
        continue; // not from there
      }
      return require(name) as PlaywrightTest;
    }
  throw new Error(
    `${ownWords().name}/playwright needs Playwright, which is not installed: npm install @playwright/test`,
  );
}

/** Ports of this machine that the tests load from. */
function localPortsOf({ local }: H2h3Options, { project, config }: WorkerInfo): number[] {
  if (local !== undefined) return [...local];
  const { url, port } = config.webServer ?? {};
  const own = originsOf([project.use.baseURL, url])
    .map((origin) => new URL(`http://${origin}`))
    .filter(({ hostname }) => /^(?:localhost|127\.0\.0\.1)$/.test(hostname))
    .map((address) => Number(address.port));
  return [...new Set([...own, ...(port === undefined ? [] : [port])])];
}

/** What of it is given: Playwright's options may be set to nothing. */
function givenOf(figures: Readonly<Record<string, string | undefined>>): OwnNetwork {
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
}

async function withLink(options: H2h3Options, info: WorkerInfo, use: Use<OwnLink | null>): Promise<void> {
  const { network = null, set = {}, check = false, down, up, rtt, loss, schedule } = options;
  const own = givenOf({ down, up, rtt, loss, schedule });
  if (network === null && Object.keys(own).length === 0) return use(null);
  const localPorts = localPortsOf(options, info);
  // A test may start its server after its browser.
  const link = await openLink({ network, own, set, localPorts, listenersRequired: false, check });
  const { description } = link.opened;
  let before: Readonly<Record<string, number>> = {};
  let startedFile: string | undefined;
  let isChanged = false;
  try {
    await use({
      description,
      launched: () => startedFile !== undefined && existsSync(startedFile),
      program: async (program) => {
        const wrapped = await link.wrap(program);
        startedFile = wrapped.startedFile;
        return wrapped.file;
      },
      begin: async (seed) => {
        if (isChanged) await link.change({});
        isChanged = false;
        await link.begin(seed);
        before = (await link.count()).counters;
      },
      report: async () => {
        const { counters, flows } = await link.count();
        const moved = Object.entries(counters).map(([name, count]): [string, number] => [
          name,
          count - (before[name] ?? 0),
        ]);
        return { network: description, counters: Object.fromEntries(moved), flows };
      },
      set: async (change) => {
        isChanged = true;
        await link.change(change);
      },
    });
  } finally {
    await link.close();
  }
}

/** Playwright's options with the browser behind the path, and what leaves it one protocol. */
async function behindPath(worker: Omit<Worker, 'browser'>, { project }: WorkerInfo): Promise<LaunchOptions> {
  const { h2h3, h2h3Link, launchOptions, browserName, playwright } = worker;
  const origins = h2h3.origins ?? originsOf([project.use.baseURL]);
  const forced =
    h2h3.protocol === undefined ? {} : protocolOptions(browserName, h2h3.protocol, origins, launchOptions);
  if (h2h3Link === null) return { ...launchOptions, ...forced };
  const { channel, headless } = { ...launchOptions, ...project.use };
  const program = browserProgram({
    browserName,
    channel,
    headless: headless !== false,
    executablePath: launchOptions.executablePath,
    ownExecutablePath: playwright[browserName]?.executablePath() ?? '',
    words: ownWords(),
  });
  return { ...launchOptions, ...forced, executablePath: await h2h3Link.program(program) };
}

function reportWords({ network, flows }: LinkReport): string {
  const sum = (transport: string): number =>
    (flows ?? [])
      .filter((flow) => flow.transport === transport)
      .reduce((all, { downBytes }) => all + downBytes, 0);
  const crossed =
    flows === null ? '' : `: ${formatBytes(sum('tcp'))} over TCP, ${formatBytes(sum('udp'))} over UDP`;
  return `${network.id}${crossed}`;
}

const installed = playwrightTest();
/** A path is made once for each worker; Playwright's own limit of a test would not let it be checked. */
const linkLimitMs = 120_000;

/** Playwright's `test` with the option `h2h3` and the fixture `h2h3Link`. */
export const test = installed.test.extend({
  h2h3: [{}, { scope: 'worker', option: true }],
  h2h3Link: [
    ({ h2h3 }: Worker, use: Use<OwnLink | null>, info: WorkerInfo) => withLink(h2h3, info, use),
    { scope: 'worker', timeout: linkLimitMs },
  ],
  launchOptions: [
    async (
      { h2h3, h2h3Link, launchOptions, browserName, playwright }: Worker,
      use: Use<LaunchOptions>,
      info: WorkerInfo,
    ) => use(await behindPath({ h2h3, h2h3Link, launchOptions, browserName, playwright }, info)),
    { scope: 'worker' },
  ],
  browser: [
    async ({ browser, h2h3Link }: Worker, use: Use<unknown>) => {
      if (h2h3Link?.launched() === false)
        throw new Error(
          'the browser was not started behind the network: launchOptions of a test file, and browsers that are connected to, take its place. Name launchOptions in the configuration',
        );
      await use(browser);
    },
    { scope: 'worker', timeout: 0 },
  ],
  h2h3Report: [
    async ({ h2h3Link }: Worker, use: () => Promise<void>, info: TestInfo) => {
      if (h2h3Link === null) return use();
      // The same stretch of what varies with time for every test and every retry.
      await h2h3Link.begin(info.repeatEachIndex + 1);
      await use();
      const report = await h2h3Link.report();
      info.annotations.push({ type: 'h2h3', description: reportWords(report) });
      await info.attach('h2h3', { body: JSON.stringify(report, null, 1), contentType: 'application/json' });
    },
    { auto: true },
  ],
}) as H2h3Test;

/** Playwright's own. */
export const expect = installed.expect as Expect;
