/** Addresses of a link's two ends, all of one version of IP. */
export interface LinkAddresses {
  /** Of the end nearer to the client. */
  readonly nearAddress: string;
  readonly farAddress: string;
  /** A second address of the near end, for clients that lose the first. */
  readonly spareAddress: string;
}

/** Where a link stands in the chain of hops: its device in both its namespaces, and the IPv4 addresses of its two ends. */
export interface LinkPlace extends LinkAddresses {
  readonly deviceName: string;
  readonly v6: LinkAddresses;
  /** Of another client that shares the link. */
  readonly crossTrafficAddress: string;
}

/**
 * The place of the link number `index`, counted from the client. Addresses are of the ranges kept for benchmarks of
 * network devices (RFC 2544, RFC 5180), seen in namespaces only. Devices are not called `tun…`: Chromium leaves those out when it
 * decides whether it is online.
 */
export function linkPlace(index: number): LinkPlace {
  return {
    deviceName: index === 0 ? 'h2h3-path' : `h2h3-path${index}`,
    nearAddress: `198.18.${index}.1`,
    farAddress: `198.18.${index}.2`,
    spareAddress: `198.18.${index}.3`,
    crossTrafficAddress: `198.18.${index}.4`,
    v6: {
      nearAddress: `2001:2:0:${index.toString(16)}::1`,
      farAddress: `2001:2:0:${index.toString(16)}::2`,
      spareAddress: `2001:2:0:${index.toString(16)}::3`,
    },
  };
}

export const mtuBytes = 1500;

/** Packets that the device holds until the emulator reads them: a sender's whole burst, so that none is lost there. */
const deviceQueuePackets = 10_000;

/** Largest socket buffers that TCP may take by itself: twice 1 Gbit/s × 100 ms, and more. */
const tcpBufferBytes = 32 * 1024 * 1024;

export interface HostSetup {
  readonly deviceName: string;
  readonly address: string;
  readonly peerAddress: string;
  /** A second address of this end, or of its peer. */
  readonly spare: { readonly address: string; readonly of: 'this end' | 'the peer' };
  /** Of this end; absent: it has no IPv6. */
  readonly v6Addresses?: readonly string[];
  /** File to be seen as the hosts file. */
  readonly hostsFile: string;
  /** Null leaves the machine's. */
  readonly tcpCongestionControl: string | null;
  /** Commands that make the device ready, before it gets its address; empty for one that is there. */
  readonly deviceCommands: readonly string[];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Pairs of veth hand packets to the backlog of whichever CPU sends, which reorders them; with one CPU for all of a
 * device's packets (receive packet steering) they stay in order. It is set in /sys, which shows a namespace's devices
 * only when it is mounted there; it is put back, because perf looks for its events below the one that was there before.
 *
 * @param cpus of the receiver, such as `1` or `2-3`: the first of them does it, because what a machine spends on receiving
 * is its own; null: the first of all
 */
export function keepInOrder(device: string, cpus: string | null = null): string[] {
  const bits = (1n << BigInt(Number.parseInt(cpus ?? '0', 10))).toString(16);
  // The kernel reads 32 CPUs a word.
  const mask = bits.replaceAll(/\B(?=(?:.{8})+$)/g, ',');
  return [
    'if mount -t sysfs sysfs /sys 2>/dev/null; then',
    `echo ${mask} > /sys/class/net/${device}/queues/rx-0/rps_cpus || echo "note: receive packet steering cannot be set"`,
    'umount /sys; else echo "note: /sys cannot be mounted: packets may overtake each other between CPUs"; fi',
  ];
}

/** Nothing of its own crosses a link: no address is made up, asked for or tried out. */
const v6Quiet = [
  ['addr_gen_mode', '1'],
  ['accept_ra', '0'],
  ['router_solicitations', '0'],
  ['accept_dad', '0'],
] as const;

/**
 * Makes one end of a path ready: loopback, addresses, TCP's settings, names. It runs within the namespace; every
 * setting that the kernel refuses is said on standard output as a line `note: …`.
 */
export function hostScript(setup: HostSetup): string {
  const set = (name: string, value: string): string => `set_or_note ${name} ${shellQuoted(value)}`;
  const { tcpCongestionControl, deviceName, v6Addresses } = setup;
  return [
    'set -e',
    // iproute2 and ethtool lie in sbin, which is not on every user's PATH.
    'PATH="$PATH:/usr/sbin:/sbin"',
    'set_or_note() { file=/proc/sys/net/$1; [ -e "$file" ] || return 0; { echo "$2" > "$file"; } 2>/dev/null || echo "note: the kernel refuses $1 = $2 in a namespace"; }',
    set('ipv6/conf/all/disable_ipv6', v6Addresses === undefined ? '1' : '0'),
    set('ipv6/conf/default/disable_ipv6', v6Addresses === undefined ? '1' : '0'),
    'ip link set dev lo up',
    ...setup.deviceCommands,
    ...(v6Addresses === undefined
      ? []
      : v6Quiet.map(([name, value]) => set(`ipv6/conf/${deviceName}/${name}`, value))),
    `ip link set dev ${deviceName} mtu ${mtuBytes} txqueuelen ${deviceQueuePackets} up`,
    `ip address add ${setup.address} peer ${setup.peerAddress} dev ${deviceName}`,
    setup.spare.of === 'this end'
      ? `ip address add ${setup.spare.address}/32 dev ${deviceName}`
      : `ip route add ${setup.spare.address}/32 dev ${deviceName}`,
    ...(v6Addresses ?? []).map((address) => `ip address add ${address}/64 dev ${deviceName} nodad`),
    // Browsers ask for no address of IPv6 where nothing leads to the Internet over it.
    ...(v6Addresses === undefined ? [] : [`ip -6 route add default dev ${deviceName}`]),
    set('ipv4/tcp_no_metrics_save', '1'),
    set('ipv4/tcp_rmem', `4096 131072 ${tcpBufferBytes}`),
    set('ipv4/tcp_wmem', `4096 65536 ${tcpBufferBytes}`),
    ...(tcpCongestionControl === null ? [] : [set('ipv4/tcp_congestion_control', tcpCongestionControl)]),
    `mount --bind ${shellQuoted(setup.hostsFile)} /etc/hosts`,
    'echo "congestion: $(cat /proc/sys/net/ipv4/tcp_congestion_control)"',
  ].join('\n');
}

/** The hosts file of both ends: every name leads to the far one. */
export function hostsFile(names: readonly string[], address: string): string {
  const lines = names.filter((name) => name !== 'localhost').map((name) => `${address} ${name}`);
  return ['127.0.0.1 localhost', ...lines, ''].join('\n');
}

export interface HostFacts {
  readonly notes: readonly string[];
  /** The TCP algorithm that is in force there. */
  readonly congestionControl: string;
}

/** What `hostScript` said. */
export function hostFacts(output: string): HostFacts {
  const lines = output.split('\n');
  return {
    notes: lines.filter((line) => line.startsWith('note: ')).map((line) => line.slice('note: '.length)),
    congestionControl:
      lines.find((line) => line.startsWith('congestion: '))?.slice('congestion: '.length) ?? 'unknown',
  };
}
