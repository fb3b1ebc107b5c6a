import type { Preset } from './preset.ts';
import { zhang2024 } from './zhang2024.ts';

const offloadsOn: [string, string] = ['h2', 'h3'];
const offloadsOff: [string, string] = ['h2+offloads=off', 'h3+offloads=off'];
const common = {
  networks: ['ethernet-1g'],
  arms: ['h2', 'h3', 'h2+offloads=off', 'h3+offloads=off'],
  compare: [offloadsOn, offloadsOff],
  probes: ['kernel', 'packets'],
  primary: { download: 'netifReceiveSkbCalls' },
  published: [
    {
      ...zhang2024,
      experiment: 'calls of netif_receive_skb at the client, 1 GB, offloads on',
      metric: 'netifReceiveSkbCalls',
      compare: offloadsOn,
      figure: '231 000 over QUIC, 15 000 over TCP',
      expects: 'worse' as const,
      source: 'section 5.3',
    },
    {
      ...zhang2024,
      experiment: 'system calls at the client, 1 GB',
      metric: 'syscalls',
      figure: '17 000 over QUIC, 4 000 over TCP (entries of do_syscall_64 in samples)',
      expects: 'worse' as const,
      source: 'section 5.3',
    },
    {
      ...zhang2024,
      experiment: 'packets handed to the transport with offloads on, 1 GB',
      metric: 'transportPacketsReceived',
      compare: offloadsOn,
      figure: 'QUIC 743 000, HTTP/2 53 000',
      expects: 'worse' as const,
      source: 'section 5.3, table 3',
    },
    {
      ...zhang2024,
      experiment: 'packets handed to the transport with offloads off, 1 GB',
      metric: 'transportPacketsReceived',
      compare: offloadsOff,
      figure: 'QUIC 744 000, HTTP/2 744 000',
      expects: 'equivalent' as const,
      source: 'section 5.3, table 3',
    },
    {
      ...zhang2024,
      experiment: 'time with offloads on and off, 1 GB; here under probes, so for direction alone',
      metric: 'totalRequestTimeMs',
      figure: 'QUIC 18.60 and 18.82 s; HTTP/2 9.36 and 10.84 s',
      expects: 'worse' as const,
      source: 'section 5.3, table 3',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: ['download-100mb'], repetitions: 8 },
  standard: { ...common, workloads: ['download-100mb', 'download-1gb'], repetitions: 8 },
  paper: { ...common, workloads: ['download-1gb'], clients: ['chrome', 'chromium'], repetitions: 20 },
};

/** Section 5.3, table 3. Table 4, the stages of the receiver by symbol, needs a browser with symbols and is left out. */
export const zhangKernelPreset: Preset = {
  id: 'zhang2024-kernel',
  title: 'Kernel calls and offloads at the client (Zhang et al. 2024)',
  plan: scales.quick,
  scales,
};
