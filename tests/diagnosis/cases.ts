/** One cause that is injected into the second of two arms, and how often it is named. */
export interface InjectedCase {
  readonly id: string;
  /** Of `causes.ts`; null: the arms are alike, and nothing is to be named. */
  readonly cause: string | null;
  /** What is done, for people. */
  readonly injected: string;
  /** Flags of `h2h3 run`; `ORIGIN` stands for the address of the pages of `injected-pages.ts`. */
  readonly flags: readonly string[];
}

/** Causes are read from recorded blocks, so every block is recorded beside its timed trials. */
const blocks = (count: number): string[] => [
  '--repetitions',
  String(count),
  '--recorded',
  'all',
  '--exploratory',
];
const download = (size: string, network: string, arms: readonly string[], probes = 'transport'): string[] => [
  '--workload',
  `download-${size}`,
  '--network',
  network,
  '--client',
  'curl',
  ...arms.flatMap((arm) => ['--arm', arm]),
  '--probe',
  `activity,packets,${probes}`,
];
const page = (path: string): string[] => [
  '--client',
  'embedded',
  '--insecure',
  '--arm',
  'h2+url=ORIGIN/plain',
  '--arm',
  `h2+url=ORIGIN${path}`,
];

/**
 * Every case but the last two injects one cause. Priorities that a server ignores are not among them: no server here has a
 * switch for them, so that no two arms differ in nothing else.
 */
export const cases: readonly InjectedCase[] = [
  {
    id: 'loss-1pct',
    cause: 'packet-loss',
    injected: '1 % of packets lost each way, HTTP/2',
    flags: [...download('1mb', 'cable', ['h2', 'h2+fault=loss=+1%']), ...blocks(10)],
  },
  {
    id: 'loss-1pct-quic',
    cause: 'packet-loss',
    injected: '1 % of packets lost each way, HTTP/3',
    flags: [...download('1mb', 'cable', ['h3', 'h3+fault=loss=+1%'], 'qlog'), ...blocks(10)],
  },
  {
    id: 'half-cpu',
    cause: 'client-cpu',
    injected: 'half the CPU share for the client, HTTP/2',
    flags: [...download('100mb', 'ethernet-1g', ['h2+cpu=10%', 'h2+cpu=5%']), ...blocks(8)],
  },
  {
    id: 'receive-buffer',
    cause: 'buffers',
    injected: 'TCP buffers of at most 64 kB',
    flags: [...download('1mb', 'kakhki-50mbit', ['h2', 'h2+tcpbuffers=64kb']), ...blocks(8)],
  },
  {
    id: 'connect-50ms',
    cause: 'connection',
    injected: '50 ms more to connect, HTTP/3',
    flags: [
      '--sites',
      'page-swagger',
      '--network',
      'cable',
      '--client',
      'embedded',
      '--arm',
      'h3',
      '--arm',
      'h3+fault=connect=+50ms',
      ...blocks(8),
    ],
  },
  {
    id: 'mtu-1280',
    cause: 'packet-size',
    injected: 'MTU 1280 instead of 1500',
    // 186 kB take 130 segments of 1448 bytes, or 153 of 1228; slow start sends 150 in four round trips. A full link would
    // hide the difference: there smaller packets cost their headers alone, 0.6 %.
    flags: [
      ...download('186kb', 'satellite', ['h2+congestion=reno', 'h2+congestion=reno+mtu=1280']),
      ...blocks(8),
    ],
  },
  {
    id: 'gso-off',
    cause: 'super-packets',
    injected: 'segmentation offloads off, little CPU',
    flags: [...download('100mb', 'ethernet-1g', ['h2+cpu=5%', 'h2+cpu=5%+offloads=off']), ...blocks(10)],
  },
  {
    id: 'late-answer',
    cause: 'first-byte',
    injected: 'the server answers 100 ms later',
    flags: [...page('/late'), ...blocks(8)],
  },
  {
    id: 'busy-page',
    cause: 'main-thread',
    injected: 'a script that computes for 200 ms',
    flags: [...page('/busy'), ...blocks(8)],
  },
  {
    id: 'alike-download',
    cause: null,
    injected: 'nothing (A/A), a download',
    flags: [...download('1mb', 'cable', ['h2', 'h2+mtu=1500']), ...blocks(10)],
  },
  {
    id: 'alike-page',
    cause: null,
    injected: 'nothing (A/A), a page',
    flags: [...page('/again'), ...blocks(8)],
  },
];
