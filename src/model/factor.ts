// Pages of reports use this too, so it brings no schema library along.
import type { ArmProtocol } from './protocol.ts';

/** Everything that can be set for a trial. An arm sets some of them, the condition the others. */
export interface Factors {
  readonly protocol?: ArmProtocol | undefined;
  readonly client?: string | undefined;
  readonly url?: string | undefined;
  readonly server?: string | undefined;
  readonly congestion?: string | undefined;
  readonly proxy?: string | undefined;
  readonly network?: string | undefined;
  readonly offloads?: string | undefined;
  readonly mtu?: string | undefined;
  readonly tcpbuffers?: string | undefined;
  readonly cipher?: string | undefined;
  readonly tls?: string | undefined;
  readonly pacing?: string | undefined;
  readonly storage?: string | undefined;
  readonly cpu?: string | undefined;
  readonly prefers?: string | undefined;
  readonly processes?: string | undefined;
  readonly handover?: string | undefined;
  readonly rivals?: string | undefined;
  readonly resume?: string | undefined;
  readonly udp?: string | undefined;
  readonly flags?: string | undefined;
  readonly fault?: string | undefined;
}
export type FactorName = keyof Factors;

/** The value of a condition's factor where the arms set it. */
export const byArm = 'by-arm';

export interface FactorDefinition {
  readonly name: FactorName;
  /** For people, such as `congestion control`. */
  readonly title: string;
  /** Who must honour it: the client, the chain from the client to the server, or the run itself. */
  readonly honouredBy: 'client' | 'testbed' | 'run';
  /** What values look like. */
  readonly example: string;
  /** In words, what an arm has that leaves it open; absent: none of it. */
  readonly unset?: string;
  /** The form that every value has, in words and as a pattern; absent: whoever honours it judges. */
  readonly form?: { readonly words: string; readonly pattern: RegExp };
}

export const factorDefinitions: readonly FactorDefinition[] = [
  { name: 'protocol', title: 'protocol', honouredBy: 'run', example: 'h2, h3, h1, auto' },
  { name: 'client', title: 'client', honouredBy: 'run', example: 'chromium@153, firefox, curl' },
  { name: 'url', title: 'address', honouredBy: 'run', example: 'https://staging.example/' },
  { name: 'server', title: 'server', honouredBy: 'run', example: 'caddy, nginx' },
  {
    ...{
      name: 'congestion',
      title: 'congestion control',
      honouredBy: 'testbed',
      example: 'reno, cubic, bbr',
    },
    unset: 'the usual congestion control',
  },
  { name: 'proxy', title: 'proxy', honouredBy: 'testbed', example: 'envoy' },
  { name: 'network', title: 'network', honouredBy: 'run', example: '4g, cable' },
  {
    ...{ name: 'offloads', title: 'segmentation offloads', honouredBy: 'testbed', example: 'on, off' },
    unset: 'the network’s own segmentation offloads',
    form: { words: 'on or off', pattern: /^(?:on|off)$/ },
  },
  {
    ...{ name: 'mtu', title: 'MTU', honouredBy: 'testbed', example: '1400' },
    unset: 'MTU 1500',
    form: {
      words: 'bytes from 1280 (what QUIC needs, and IPv6) to 1500',
      pattern: /^(?:12[89]\d|1[34]\d\d|1500)$/,
    },
  },
  {
    ...{ name: 'tcpbuffers', title: 'TCP buffers of at most', honouredBy: 'testbed', example: '256kb' },
    unset: 'TCP buffers of 32 MB',
    form: { words: 'a size such as 64kb or 4mb (1 kb is 1024 bytes)', pattern: /^[1-9]\d{0,4}(?:kb|mb)$/ },
  },
  {
    ...{ name: 'cipher', title: 'cipher', honouredBy: 'testbed', example: 'aes128, aes256, chacha20' },
    unset: 'the cipher that both ends prefer',
    form: { words: 'aes128, aes256 or chacha20', pattern: /^(?:aes128|aes256|chacha20)$/ },
  },
  {
    ...{ name: 'tls', title: 'TLS', honouredBy: 'testbed', example: '1.2' },
    unset: 'TLS 1.3',
    form: { words: '1.2 (left out: 1.3)', pattern: /^1\.2$/ },
  },
  {
    ...{ name: 'pacing', title: 'pacing of TCP', honouredBy: 'testbed', example: 'on' },
    unset: 'pacing as the congestion control has it',
    form: { words: 'on (left out: as the congestion control has it)', pattern: /^on$/ },
  },
  {
    ...{ name: 'storage', title: 'storage of the files', honouredBy: 'testbed', example: 'tmpfs, disk' },
    unset: 'files where they were made',
    form: { words: 'tmpfs or disk', pattern: /^(?:tmpfs|disk)$/ },
  },
  {
    ...{ name: 'cpu', title: 'CPU share', honouredBy: 'client', example: '50%' },
    unset: 'whole CPUs',
    form: { words: 'a share of one CPU from 5% on, such as 50%', pattern: /^(?:[5-9]|[1-9]\d{1,4})%$/ },
  },
  {
    ...{ name: 'prefers', title: 'preference', honouredBy: 'client', example: 'color-scheme:dark' },
    unset: 'no preference of the user',
    form: {
      words: 'color-scheme:dark, color-scheme:light or reduced-motion:reduce, several joined by /',
      pattern:
        /^(?:color-scheme:(?:dark|light)(?:\/reduced-motion:reduce)?|reduced-motion:reduce(?:\/color-scheme:(?:dark|light))?)$/,
    },
  },
  {
    ...{ name: 'processes', title: 'a process for', honouredBy: 'client', example: 'each' },
    unset: 'one process for all requests',
    form: { words: 'each (left out: one for all requests)', pattern: /^each$/ },
  },
  {
    ...{ name: 'handover', title: 'loss of the address after', honouredBy: 'client', example: '2mb' },
    unset: 'one address throughout',
    form: {
      words: 'bytes of the body such as 2mb, with -reconnect, -restart or -rebind behind it',
      pattern: /^[1-9]\d{0,3}(?:kb|mb)(?:-reconnect|-restart|-rebind)?$/,
    },
  },
  {
    ...{ name: 'rivals', title: 'TCP connections beside', honouredBy: 'client', example: '4' },
    unset: 'no TCP connections beside',
    form: { words: 'a number of TCP connections from 1 to 16', pattern: /^(?:[1-9]|1[0-6])$/ },
  },
  {
    ...{ name: 'resume', title: 'a session resumed by', honouredBy: 'client', example: '0rtt' },
    unset: 'a first connection',
    form: {
      words: 'session (a ticket of a connection before), or 0rtt (and the request as early data)',
      pattern: /^(?:session|0rtt)$/,
    },
  },
  {
    ...{ name: 'udp', title: 'UDP', honouredBy: 'client', example: 'blocked' },
    unset: 'UDP open',
    form: { words: 'open or blocked', pattern: /^(?:open|blocked)$/ },
  },
  { name: 'flags', title: 'flags', honouredBy: 'client', example: '--enable-features=A,B' },
  { name: 'fault', title: 'injected fault', honouredBy: 'run', example: 'delay=+50ms' },
];

export const factorNames: readonly FactorName[] = factorDefinitions.map(({ name }) => name);

export function factorDefinition(name: FactorName): FactorDefinition {
  const found = factorDefinitions.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no definition of the factor ${name}`);
  return found;
}

/** The factors in which two assignments differ, in the order of the definitions. */
export function differingFactors(a: Factors, b: Factors): FactorName[] {
  return factorNames.filter((name) => a[name] !== b[name]);
}

/** Whether something measured with `value` belongs to a condition that says `wanted`. */
export function fitsCondition(wanted: string, value: string): boolean {
  return wanted === byArm || wanted === value;
}

/** The words of `flags`, apart at blanks. */
export function flagList({ flags }: Factors): string[] {
  return flags === undefined ? [] : flags.split(/\s+/).filter((flag) => flag !== '');
}

/** The factor `prefers` as media features of CSS have it: `prefers-color-scheme` is `dark`. */
export function mediaFeatures(prefers: string): { readonly name: string; readonly value: string }[] {
  return prefers.split('/').map((part) => {
    const [name = '', value = ''] = part.split(':');
    return { name: `prefers-${name}`, value };
  });
}

/** The factor `cpu` as a number: percent of one CPU. */
export function cpuSharePercent(cpu: string): number {
  return Number.parseInt(cpu, 10);
}

/** When a client loses its address, and what it does then. */
export interface Handover {
  /** Bytes of the body that have come by then. */
  readonly afterBytes: number;
  /**
   * `move`: the connection where its protocol can, else as `reconnect`: asks for the rest over another; `restart`: for
   * all; `rebind`: the port alone changes and nobody is told, as when a NAT forgets it.
   */
  readonly then: 'move' | 'reconnect' | 'restart' | 'rebind';
}

/** The factor `handover`; 1 mb is 10^6 bytes, as in the names of downloads. */
export function handoverOf(handover: string): Handover {
  const [size = '', then] = handover.split('-');
  return {
    afterBytes: Number.parseInt(size, 10) * (size.endsWith('mb') ? 1_000_000 : 1000),
    then: then === 'reconnect' || then === 'restart' || then === 'rebind' ? then : 'move',
  };
}

/** What befalls the transfers of a client on the way. */
export interface Stress {
  /** Each request is made by a process of its own. */
  readonly processes?: 'each';
  readonly handover?: Handover;
  /** TCP connections that load from the same server meanwhile. */
  readonly rivals?: number;
  /** The measured connection takes up the session of one before it; `0rtt`: and its request goes out with the first packet. */
  readonly resume?: 'session' | '0rtt';
}

/** What the factors ask for; empty where nothing is to happen. */
export function stressOf({ processes, handover, rivals, resume }: Factors): Stress {
  return {
    ...(processes === undefined ? {} : { processes: 'each' }),
    ...(handover === undefined ? {} : { handover: handoverOf(handover) }),
    ...(rivals === undefined ? {} : { rivals: Number(rivals) }),
    ...(resume === undefined ? {} : { resume: resume === '0rtt' ? '0rtt' : 'session' }),
  };
}

/** The factor `rivals` as a number; 0 where it is not set. */
export function rivalsOf({ rivals }: Pick<Factors, 'rivals'>): number {
  return rivals === undefined ? 0 : Number(rivals);
}

/** The factor `tcpbuffers` in bytes. */
export function tcpBufferBytes(tcpbuffers: string): number {
  return Number.parseInt(tcpbuffers, 10) * (tcpbuffers.endsWith('mb') ? 1024 * 1024 : 1024);
}

/** Only what stands before `=` and is a factor's name begins the next factor; any other `+` belongs to a value. */
const separator = new RegExp(String.raw`\+(?=(?:${factorNames.join('|')})=)`);

/** The written form of an arm, apart: `client:protocol`, and what follows behind `+`. */
export function armParts(text: string): {
  readonly head: string;
  readonly settings: readonly [FactorName, string][];
} {
  const [head = '', ...rest] = text.split(separator);
  const settings = rest.map((part): [FactorName, string] => {
    const at = part.indexOf('=');
    return [part.slice(0, at) as FactorName, part.slice(at + 1)];
  });
  return { head, settings };
}

/** Factors that an arm's label names, such as `chromium@148:h3+server=nginx#2`; none for a label of another form. */
export function factorsOfLabel(label: string): Factors {
  const { head, settings } = armParts(label.replace(/#\d+$/, ''));
  const { client, protocol } = /^(?:(?<client>.+):)?(?<protocol>h1|h2|h3|auto)$/.exec(head)?.groups ?? {};
  if (protocol === undefined) return {};
  return {
    protocol: protocol as ArmProtocol,
    ...(client === undefined ? {} : { client }),
    ...Object.fromEntries(settings),
  };
}
