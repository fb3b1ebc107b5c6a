import { defineFactor } from './factor.ts';
import { inWords, oneOf, sizeIn, sizeText, wholeNumberIn } from './forms.ts';

export type DiscoveryWay = 'forced' | 'alt-svc' | 'https-record';

const discoveryWays: Readonly<Record<DiscoveryWay, string>> = {
  forced: 'HTTP/3 forced',
  'alt-svc': 'HTTP/3 found by Alt-Svc',
  'https-record': 'HTTP/3 found by an HTTPS record',
};

/** How a client comes to HTTP/3: it is made to use it, or finds out as users' clients do. */
export const discovery = defineFactor({
  id: 'discovery',
  title: 'discovery of HTTP/3 by',
  example: 'https-record, alt-svc, forced',
  unsetLabel: 'no resolver of ours',
  words: (text) => discoveryWays[text as DiscoveryWay],
  form: inWords(
    'forced (by protocol=h3), alt-svc (names with addresses alone) or https-record (and an HTTPS record for each)',
    oneOf('forced', 'alt-svc', 'https-record'),
  ),
  appliedBy: ['client'],
  boundTo: {
    protocols: ['h3', 'auto'],
    why: 'discovery means how a client comes to HTTP/3, and an arm over TCP alone never does',
  },
  // Where nothing is forced, names are answered by a resolver of the testbed.
  hints: { sender: (way: DiscoveryWay) => (way === 'forced' ? undefined : { resolves: true }) },
  setBy: 'a resolver of the testbed (DNS over HTTPS)',
  provenBy: 'the resolver’s log and the server’s',
  readBack: 'discovery.questions',
});

/** `blocked@500ms`: it comes through until so long after the load began. */
export type UdpState = 'open' | 'blocked' | `blocked@${number}ms`;

const lateMark = 'blocked@';

/** When UDP is blocked, ms after the load began: 0 from the start; null where it never is. */
export function udpBlockedAfterMs(state: UdpState): number | null {
  if (state === 'open') return null;
  return state === 'blocked' ? 0 : Number(state.slice(lateMark.length, -'ms'.length));
}

/** Ten seconds are longer than any load that a late block is to meet. */
const maxBlockedAfterMs = 10_000;

function readUdp(text: string): UdpState | undefined {
  if (text === 'open' || text === 'blocked') return text;
  const afterMs = text.startsWith(lateMark) ? wholeNumberIn(text.slice(lateMark.length), 'ms') : undefined;
  return afterMs === undefined || afterMs === 0 || afterMs > maxBlockedAfterMs
    ? undefined
    : `${lateMark}${afterMs}ms`;
}

/** Whether UDP from the server comes through while the workload is loaded. */
export const udp = defineFactor({
  id: 'udp',
  title: 'UDP',
  example: 'blocked, open',
  unsetLabel: 'UDP open',
  form: inWords('open, blocked, or blocked@500ms (from so long after the load began, at most 10000ms)', {
    read: readUdp,
    write: (state: UdpState) => state,
  }),
  appliedBy: ['client'],
  needsOwnLink: true,
  setBy: 'a rule in the client’s namespace',
  provenBy: 'the rule, and each object’s protocol',
  readBack: 'udp',
});

/** More than any round trip, which a first request comes after the server's side of a handshake. */
const resumedIdleMs = 1000;

/** The measured connection takes up the session of one before it; `0rtt`: and its request goes out with the first packet. */
export const resume = defineFactor({
  id: 'resume',
  title: 'a session resumed by',
  example: '0rtt, session',
  unsetLabel: 'a first connection',
  words: (text) => (text === '0rtt' ? 'early data (0-RTT)' : 'a resumed session'),
  form: inWords(
    'session (a ticket of a connection before), or 0rtt (and the request as early data)',
    oneOf('session', '0rtt'),
  ),
  appliedBy: ['client'],
  // A browser connects again only when the server has ended its connection.
  hints: {
    sender: (value: '0rtt' | 'session') => ({ endsIdleAfterMs: resumedIdleMs, earlyData: value === '0rtt' }),
  },
  setBy: 'a ticket of a connection before; early data on or off',
  provenBy: 'both requests in the server’s log',
  readBack: 'serverLog.earlyData',
});

/** Whether one certificate covers all hosts of a page, so that a browser may use one connection for them. */
export const coalescing = defineFactor({
  id: 'coalescing',
  title: 'coalescing of hosts',
  example: 'off, on',
  unsetLabel: 'a certificate for each host',
  form: oneOf('off', 'on'),
  appliedBy: ['sender', 'client'],
  // Firefox wants the names in the hosts file of a namespace.
  needsOwnLink: true,
  setBy: 'one certificate for all hosts of a page, or one each',
  provenBy: 'names in a handshake with every host; connections in the server’s log',
  readBack: 'testbed.server.handshake.names',
});

/** When a client loses its address, and what it does then. */
export interface Migration {
  /** Bytes of the body that have come by then. */
  readonly afterBytes: number;
  /**
   * `move`: the connection where its protocol can, else as `reconnect`: asks for the rest over another; `restart`: for
   * all; `rebind`: the port alone changes and neither end is told, as when a NAT forgets it.
   */
  readonly then: 'move' | 'reconnect' | 'restart' | 'rebind';
}

const migrationForm = /^(?<size>[1-9]\d{0,3}(?:kb|mb))(?:-(?<then>reconnect|restart|rebind))?$/;

/** 1 mb is 10^6 bytes, as in the names of downloads. */
function readMigration(text: string): Migration | undefined {
  const { size = '', then = 'move' } = migrationForm.exec(text)?.groups ?? {};
  const afterBytes = sizeIn(size, 1000);
  return afterBytes === undefined ? undefined : { afterBytes, then: then as Migration['then'] };
}

const wordsAfterwards: Readonly<Record<Migration['then'], string>> = {
  move: '',
  reconnect: ' and a new connection',
  restart: ' and a new start',
  rebind: '',
};

/** `its address lost after 2 MB and a new start`. */
function migrationInWords(text: string): string {
  const value = readMigration(text);
  if (value === undefined) return text;
  const { afterBytes, then } = value;
  const size = afterBytes % 1e6 === 0 ? `${afterBytes / 1e6} MB` : `${afterBytes / 1e3} KB`;
  return `its ${then === 'rebind' ? 'port' : 'address'} lost after ${size}${wordsAfterwards[then]}`;
}

export const migration = defineFactor({
  id: 'migration',
  title: 'loss of the address after',
  example: '2mb, 2mb-restart',
  unsetLabel: 'one address throughout',
  words: migrationInWords,
  form: {
    words: 'bytes of the body such as 2mb, with -reconnect, -restart or -rebind behind it',
    read: readMigration,
    write: ({ afterBytes, then }: Migration) =>
      `${sizeText(afterBytes, 1000)}${then === 'move' ? '' : `-${then}`}`,
  },
  appliedBy: ['client'],
  setBy: 'quic-go, quiche, curl and wget2, which lose the address',
  provenBy: 'both requests in the server’s log',
  readBack: 'serverLog.path',
});
