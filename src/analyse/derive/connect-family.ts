import type { TrialEvidence } from '../../core/model/derive.ts';
import type { LinkFlow, RawTrial, ServerLogEntry } from '../../core/model/raw-trial.ts';
import type { DerivedPart } from './derived-part.ts';

type IpVersion = 4 | 6;

type Seen = Pick<RawTrial, 'testbed' | 'linkFlows' | 'serverLog' | 'resolverPort' | 'clientFamilies'>;

/** Of names that are asked for, not of what they lead to. */
const domainPort = 53;

/** Flows of the client's link that may carry requests; undefined where no link of ours counted them. */
export function requestFlows({
  linkFlows,
  resolverPort,
}: Pick<Seen, 'linkFlows' | 'resolverPort'>): readonly LinkFlow[] | undefined {
  return linkFlows?.filter(({ serverPort }) => serverPort !== domainPort && serverPort !== resolverPort);
}

/** The flow that carried the first request, by the server's log; undefined where that names no connection of the link. */
export function firstCarrier(
  seen: Pick<Seen, 'linkFlows' | 'resolverPort' | 'serverLog'>,
): LinkFlow | undefined {
  const connection = firstLogged(seen)?.connection;
  return requestFlows(seen)?.find(({ clientPort }) => String(clientPort) === connection);
}

/** Null: it is not known. */
const onlyOne = (versions: readonly (IpVersion | undefined)[]): IpVersion | null => {
  const [first, ...others] = new Set(versions);
  return first === undefined || others.length > 0 ? null : first;
};

function firstLogged({ serverLog }: Pick<Seen, 'serverLog'>): ServerLogEntry | undefined {
  return (serverLog ?? []).toSorted((a, b) => a.startEpochMs - b.startEpochMs)[0];
}

/** By the address that a recording client names for the first thing that it loaded. */
function recordedFamily(har: TrialEvidence['har']): IpVersion | null {
  const address = har?.log.entries.find(
    ({ serverIPAddress = '' }) => serverIPAddress !== '',
  )?.serverIPAddress;
  if (address === undefined) return null;
  return address.includes(':') ? 6 : 4;
}

/**
 * The version of IP that carried the first request: as the server logged it, else that of the connection that it names, of all
 * connections that were answered, of the client's sockets, or of the address that the client recorded. A path of ours whose arm says
 * nothing has addresses of IPv4 alone. Null: it is not known; undefined: nothing was asked.
 */
function connectFamilyOf(seen: Seen, har: TrialEvidence['har']): IpVersion | null | undefined {
  const { testbed, serverLog, clientFamilies = [] } = seen;
  const first = firstLogged(seen);
  const answered = (requestFlows(seen) ?? []).filter(({ downPackets }) => downPackets > 0);
  const found =
    first?.family ??
    firstCarrier(seen)?.family ??
    onlyOne(answered.map(({ family }) => family)) ??
    onlyOne(clientFamilies) ??
    recordedFamily(har);
  if (found !== null) return found;
  if (first === undefined && answered.length + clientFamilies.length === 0) return undefined;
  const set = testbed?.links[0]?.family ?? '4';
  if (serverLog === null || set === 'both') return null;
  return set === '6' ? 6 : 4;
}

/** Which version of IP was used, of every trial that reached a server: told, and never compared. */
export function connectFamily({ raw, har }: Pick<TrialEvidence, 'raw' | 'har'>): DerivedPart {
  const version = connectFamilyOf(raw, har);
  if (version === undefined) return { metrics: {}, warnings: [] };
  const warnings = [
    'connectFamily: neither server nor link nor client tells the version of IP of the first request',
  ];
  return { metrics: { connectFamily: version }, warnings: version === null ? warnings : [] };
}
