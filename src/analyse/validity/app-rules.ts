import { isOddName, type AppLedger } from '../../core/model/app-ledger.ts';
import { protocolOf, type ArmProtocol } from '../../core/model/protocol.ts';
import type { ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { TrialEvidence } from '../../core/model/derive.ts';
import { publicOrigin, type AppPage } from '../../core/model/app-under-test.ts';
import type { NetworkObject } from '../../core/metrics/evidence/network-object.ts';
import type { LostHeader } from '../../core/model/expected-load.ts';
import { invalid, type Finding } from './finding.ts';
import { isSocket } from './log-book.ts';
import { wireKeyOf } from '../../core/model/wire-address.ts';

/** Enough to recognise a page by. */
const namedHosts = 5;
const namedRequests = 3;
const ownMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

const hostsOfApp = ({ route }: AppPage): ReadonlySet<string> => new Set(route.hosts.map(({ host }) => host));

/** What an app's trial is judged by: the objects of the app and of the recording next to it. Of other workloads all are. */
export function judgedObjects(
  { app }: TrialEvidence['workload'],
  objects: readonly NetworkObject[],
): readonly NetworkObject[] {
  if (app === undefined || app.thirdParties === 'recorded') return objects;
  const own = hostsOfApp(app);
  return objects.filter(({ host }) => own.has(host));
}

/** An app that gave no answer, broke one off, or was not told all that the browser said: the page was another one. */
export function appFindings({ workload: { app }, raw, har, expected }: TrialEvidence): readonly Finding[] {
  if (app === undefined) return [];
  if (raw.app === undefined) return [invalid('no-evidence', 'what the app was asked is not known')];
  return [...failureFindings(raw.app), ...lostHeaderFindings({ app, ledger: raw.app, har }, expected)];
}

function failureFindings({ failures }: AppLedger): readonly Finding[] {
  const [first] = failures;
  if (first === undefined) return [];
  const others = failures.length === 1 ? '' : ` (and ${failures.length - 1} more)`;
  return [
    invalid(
      'app-silent',
      `the app gave no answer to ${first.url}${others}: ${first.why}. Look whether it still runs, and what it says`,
    ),
  ];
}

interface LoadOfApp {
  readonly app: AppPage;
  readonly ledger: AppLedger;
  readonly har: TrialEvidence['har'];
}

/** The first header of a recorded load that the app was not told; undefined where there is none, or nothing was recorded. */
export function lostHeaderOf({ app: { route }, ledger, har }: LoadOfApp): LostHeader | undefined {
  const { oddNames } = ledger;
  if (oddNames === undefined) return undefined;
  const own = route.hosts.map((host) => `${publicOrigin(host, route.port)}/`);
  for (const { request, _fromCache, _h2h3 } of har?.log.entries ?? []) {
    const [url = ''] = request.url.split('#');
    if (_fromCache === true || _h2h3 !== undefined || !own.some((origin) => url.startsWith(origin))) continue;
    const told = new Set(oddNames[url] ?? []);
    const sent = request.headers.map(({ name }) => name.toLowerCase()).filter(isOddName);
    const name = sent.find((each) => !told.has(each));
    if (name !== undefined) return { name, url };
  }
  return undefined;
}

/** Where the browser's requests are recorded with their headers, in this load or in an earlier one. */
function lostHeaderFindings(load: LoadOfApp, expected: TrialEvidence['expected']): readonly Finding[] {
  const lost = lostHeaderOf(load) ?? expected?.lostHeader;
  if (lost === undefined) return [];
  return [
    invalid(
      'header-lost',
      `the header ${lost.name} of ${lost.url} did not reach the app, because the server in front drops names with characters other than letters, digits and hyphens. Choose another (--server nginx)`,
    ),
  ];
}

/** Whether a request's answer came to its end, of an app's; by host and path. */
export function endsOfApp(
  ledger: AppLedger | undefined,
): (request: { readonly host: string; readonly path: string }) => boolean {
  const unended = new Set((ledger?.unended ?? []).map(wireKeyOf));
  return ({ host, path }) => !unended.has(host + path);
}

/** Of an answer without end the protocol is proven all the same. @param log what the server has of such requests */
export function unendedFindings(arm: ArmProtocol, log: readonly ServerLogEntry[]): readonly Finding[] {
  return log
    .filter(
      ({ protocol, status, method }) =>
        arm !== 'auto' && !isSocket({ status, method }) && protocolOf(protocol) !== arm,
    )
    .map(({ path, protocol }) =>
      invalid('wrong-protocol', `${path}: the server's log says ${protocol}, expected ${arm}`),
    );
}

/** What a reader must know of an app's trial: hosts that were left out, sockets, answers without end. */
export function appWarnings(
  { workload: { app }, raw }: TrialEvidence,
  objects: readonly NetworkObject[],
): readonly string[] {
  if (app === undefined || raw.app === undefined) return [];
  const own = hostsOfApp(app);
  const others = objects.filter(({ host }) => !own.has(host));
  return [
    ...(app.thirdParties === 'blocked' ? blockedWarnings(others) : []),
    ...(app.thirdParties === 'live' ? liveWarnings(others) : []),
    ...socketWarnings(raw.app),
    ...unendedWarnings(raw.app),
    ...refusedWarnings(objects.filter(({ host }) => own.has(host))),
  ];
}

function hostsOf(objects: readonly NetworkObject[]): string {
  const hosts = [...new Set(objects.map(({ host }) => host))].toSorted();
  return (hosts.length > namedHosts ? [...hosts.slice(0, namedHosts), '…'] : hosts).join(', ');
}

function blockedWarnings(others: readonly NetworkObject[]): string[] {
  if (others.length === 0) return [];
  const isOfMachine = others.some(({ host }) => ownMachine.test(host));
  return [
    `requests to other hosts were blocked: ${hostsOf(others)} (--third-parties)`,
    ...(isOfMachine
      ? [
          'the page asks another host of this machine by its own address: add it with --app NAME=http://…, and have the app call it by its public name',
        ]
      : []),
  ];
}

function liveWarnings(others: readonly NetworkObject[]): string[] {
  return others.length === 0
    ? []
    : [
        `${others.length} objects came from other hosts, over their own paths and protocols: ${hostsOf(others)}`,
      ];
}

function named(addresses: readonly string[]): string {
  const paths = [...new Set(addresses.map((address) => new URL(address).pathname))];
  return (paths.length > namedRequests ? [...paths.slice(0, namedRequests), '…'] : paths).join(', ');
}

function socketWarnings({ sockets }: AppLedger): string[] {
  return sockets.length === 0
    ? []
    : [`web sockets are kept over TCP, as browsers have it, in every arm: ${named(sockets)}`];
}

function unendedWarnings({ unended }: AppLedger): string[] {
  return unended.length === 0
    ? []
    : [`answers of the app were not over when the page was: ${named(unended)} (--block leaves them out)`];
}

/** What an app answers so each time is its page, and no fault of the trial. */
function refusedWarnings(objects: readonly NetworkObject[]): string[] {
  const refused = objects.filter(({ status, browserMade }) => status >= 400 && status < 500 && !browserMade);
  return refused.length === 0
    ? []
    : [
        `the app answered ${refused.length} requests with an error of its own (4xx): ${named(refused.map(({ url }) => url))}`,
      ];
}
