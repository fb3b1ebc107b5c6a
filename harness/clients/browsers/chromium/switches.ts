import { desktop } from '../../../../src/core/model/device.ts';
import type { ArmProtocol } from '../../../../src/core/model/protocol.ts';
import { bracketed, endpoint } from '../../../../src/core/model/wire-address.ts';
import { nameServiceOf, type ClientLaunchOptions } from '../../client-driver.ts';

export interface MachineFacts {
  /** Whether Chromium's sandbox cannot work here (root, or no user namespaces). */
  readonly withoutSandbox: boolean;
  /** Whether /dev/shm is too small for a renderer's shared memory (containers: 64 MB by default). */
  readonly smallSharedMemory: boolean;
}

/**
 * How each arm decides the protocol. `h3` has no TCP attempt to race with: an origin that QUIC is forced on is
 * never asked over TCP. `auto` leaves Alt-Svc discovery and racing as the browser ships them.
 */
export const protocolSwitches: Readonly<Record<ArmProtocol, readonly string[]>> = {
  h1: ['--disable-quic', '--disable-http2'],
  h2: ['--disable-quic'],
  h3: ['--enable-quic'],
  auto: [],
};

/** Parts of the browser around the page. The `WebUI…` ones are pages of their own that take 0.7 s of CPU time at each start. */
const disabledFeatures: readonly string[] = [
  'CertificateTransparencyComponentUpdater',
  'MediaRouter',
  'OptimizationHints',
  'Translate',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
];

/** Everything by which a browser asks for something that the page did not ask for, or behaves otherwise than the next start. */
const quietSwitches: readonly string[] = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-proxy-server',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  `--disable-features=${disabledFeatures.join(',')}`,
];

/** A new profile's empty cache of shaders holds up the first frame by 0.3 s, and has nothing to give to any trial. */
const startSwitches: readonly string[] = ['--disable-gpu-shader-disk-cache'];

/** What keeps a page in the background running like one in the foreground. */
const foregroundSwitches: readonly string[] = [
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-hang-monitor',
  '--disable-renderer-backgrounding',
  '--mute-audio',
];

/** tcpmux: no server listens there, and no page names it. */
const unusedPort = 1;

/** What decides protocol, names and certificates, and keeps the browser quiet: the same on a phone. */
function loadingSwitches(options: ClientLaunchOptions): string[] {
  // Waives errors of certificates with these keys only: our own, which never leaves its machine, and what the user accepts.
  const keys = [options.spkiHash, ...(options.live?.acceptedKeys ?? [])].filter((key) => key !== '');
  return [
    ...protocolSwitches[options.protocol],
    ...forcedOrigins(options),
    ...earlyDataSwitches(options),
    ...quietSwitches,
    ...foregroundSwitches,
    ...nameSwitches(options),
    ...(keys.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${keys.join(',')}`]),
  ];
}

/** Where names lead. One that is mapped to an address is never asked for; one whose port alone is mapped is. */
function nameSwitches(options: ClientLaunchOptions): string[] {
  if (nameServiceOf(options) === undefined) return [`--host-resolver-rules=${resolverRules(options)}`];
  const { server } = options;
  if (server === null || options.replay === undefined) return [];
  const rules = recordedOrigins(options).map(([host, port]) => `MAP ${host}:${port} ${host}:${server.port}`);
  return [`--host-resolver-rules=${rules.join(',')}`];
}

/** Of a recorded site: each host with each port that recorded addresses name. */
function recordedOrigins({ hosts, replay }: ClientLaunchOptions): (readonly [host: string, port: number])[] {
  return hosts.flatMap((host) => (replay?.ports ?? []).map((port) => [host, port] as const));
}

/** Over QUIC it sends early data as it ships, over TCP with this feature alone. */
function earlyDataSwitches({ protocol, factors }: ClientLaunchOptions): string[] {
  const overTcp = protocol === 'h1' || protocol === 'h2';
  return factors?.resume === '0rtt' && overTcp ? ['--enable-features=EnableTLS13EarlyData'] : [];
}

/** What Chrome on Android reads from its file of switches. */
export function androidSwitches(options: ClientLaunchOptions): string[] {
  const { device, factors } = options;
  const agent = device?.userAgent === undefined ? [] : [`--user-agent=${device.userAgent}`];
  return merged([...loadingSwitches(options), '--disable-fre', ...agent, ...(factors?.flags ?? [])]);
}

/** Command line of a trial's browser, complete but for the debugging pipe. */
export function chromiumSwitches(options: ClientLaunchOptions, machine: MachineFacts): string[] {
  const { device = desktop } = options;
  const switches = [
    ...loadingSwitches(options),
    ...startSwitches,
    `--user-data-dir=${options.profileDir}`,
    `--window-size=${device.width},${device.height}`,
    ...headlessSwitches(options),
  ];
  if (options.mediaBufferMegabytes > 0)
    switches.push(`--mse-video-buffer-size-limit-mb=${options.mediaBufferMegabytes}`);
  if (device.userAgent !== undefined) switches.push(`--user-agent=${device.userAgent}`);
  // Its own way out of the page, past names and proxies.
  if (options.replay !== undefined) switches.push('--webrtc-ip-handling-policy=disable_non_proxied_udp');
  switches.push(...logSwitches(options));
  if (machine.withoutSandbox) switches.push('--no-sandbox');
  if (machine.smallSharedMemory) switches.push('--disable-dev-shm-usage');
  return [...merged(withFlags(switches, options.factors?.flags ?? [])), options.startUrl ?? 'about:blank'];
}

/**
 * A flag `--enable-X` takes the place of a quiet `--disable-X`, which Chromium would else obey: so can the field trials be measured
 * that builds without Google's brand switch on. What decides the protocol stays.
 */
function withFlags(switches: readonly string[], flags: readonly string[]): string[] {
  const undone = flags.map((flag) => flag.replace(/^--enable-/, '--disable-'));
  return [...switches.filter((text) => !quietSwitches.includes(text) || !undone.includes(text)), ...flags];
}

/** A net log beyond this keeps its beginning and its end. */
const maxNetLogMegabytes = 128;

function logSwitches({ logs: { netLog, keys } = {} }: ClientLaunchOptions): string[] {
  return [
    ...(netLog === undefined
      ? []
      : [`--log-net-log=${netLog}`, `--net-log-max-size-mb=${maxNetLogMegabytes}`]),
    ...(keys === undefined ? [] : [`--ssl-key-log-file=${keys}`]),
  ];
}

/** Lists of features: given twice, Chromium takes the last alone. */
const listSwitches = [
  '--enable-features',
  '--disable-features',
  '--enable-blink-features',
  '--disable-blink-features',
];

/** Switches with lists of one name joined into one. */
function merged(switches: readonly string[]): string[] {
  const nameOf = (text: string): string => text.split('=')[0] ?? '';
  const joined = listSwitches.flatMap((name) => {
    const values = switches
      .filter((text) => nameOf(text) === name)
      .map((text) => text.slice(name.length + 1));
    return values.length === 0 ? [] : [`${name}=${values.join(',')}`];
  });
  return [...switches.filter((text) => !listSwitches.includes(nameOf(text))), ...joined];
}

function headlessSwitches(options: ClientLaunchOptions): string[] {
  if (options.headed) return [];
  const mode = options.client.build === 'headless-shell' ? '--headless' : '--headless=new';
  return [mode, '--hide-scrollbars', '--disable-gpu'];
}

/**
 * Origins that QUIC is forced on. In arm `h3` all of a server of ours, and of a live page those that answer over
 * HTTP/3: others could not be asked at all.
 *
 * QUIC accepts certificates of known roots only, waived or not, but for hosts that it is forced on; with our own
 * certificates Alt-Svc would lead nowhere. A host counts as such whatever the port, so in arm `auto` it is named with
 * one that nothing uses: then nothing is forced, and the browser does what it does with a certificate of a known root.
 */
function forcedOrigins(options: ClientLaunchOptions): string[] {
  const { protocol, server, hosts, live, app } = options;
  const force = (origins: readonly string[]): string[] => [`--origin-to-force-quic-on=${origins.join(',')}`];
  // A resolver is asked over HTTP/2, and other hosts as they answer.
  const hasOthers = app?.thirdParties === 'live' || nameServiceOf(options) !== undefined;
  if (protocol === 'h3' && server !== null && hasOthers) {
    const origins = options.replay === undefined ? [] : recordedOrigins(options);
    return force([
      ...origins.map(([host, port]) => `${host}:${port}`),
      ...hosts.map((host) => `${host}:${server.port}`),
    ]);
  }
  if (protocol === 'h3') return force(live === undefined ? ['*'] : hosts);
  const hasUnknownRoot = server !== null || (live?.acceptedKeys.length ?? 0) > 0;
  if (protocol !== 'auto' || !hasUnknownRoot || hosts.length === 0) return [];
  return force(hosts.map((host) => `${host.replace(/:\d+$/, '')}:${unusedPort}`));
}

/**
 * What new profiles of the family's browsers ask for on their own, whatever their switches say (seen in net logs
 * of Chromium 156: accounts, updates, time), at addresses that pages hardly ever use.
 */
const backgroundHosts: readonly string[] = [
  'accounts.google.com',
  'clients2.google.com',
  'clientservices.googleapis.com',
  'content-autofill.googleapis.com',
  'edge.microsoft.com',
  'optimizationguide-pa.googleapis.com',
  'redirector.gvt1.com',
  'safebrowsing.googleapis.com',
  'update.googleapis.com',
];

/**
 * `localhost` has an address of IPv4 and one of IPv6, and servers often listen on one: it leads to the one that answered, because
 * over QUIC Chromium tries the first alone.
 */
function ownMachine(live: ClientLaunchOptions['live']): string[] {
  if (live === null || live === undefined || new URL(live.remote.url).hostname !== 'localhost') return [];
  const address = live.remote.address.replace(/:\d+$/, '');
  return [`MAP localhost ${bracketed(address)}`];
}

/**
 * The workload's names lead to the server and all others nowhere, so no request of anyone can leave the machine.
 * With a live address, and an app whose page may ask others, only what browsers ask for on their own leads nowhere.
 */
function resolverRules({ hosts, server, replay, live, app }: ClientLaunchOptions): string {
  const quiet = backgroundHosts.map((host) => `MAP ${host} ~NOTFOUND`);
  if (server === null) {
    const led = (live?.connectTo ?? []).map((rule) => rule.replace(/^([^:]+:\d+):/, 'MAP $1 '));
    return [...led, ...ownMachine(live), ...quiet].join(',');
  }
  // Recorded pages name the ports of the recorded servers.
  const target = replay === undefined ? bracketed(server.address) : endpoint(server);
  const others = app?.thirdParties === 'live' ? quiet : ['MAP * ~NOTFOUND'];
  return [...hosts.map((host) => `MAP ${host} ${target}`), ...others].join(',');
}
