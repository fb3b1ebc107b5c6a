import type { Preset } from './preset.ts';
import { shreedhar2022 } from './shreedhar2022.ts';

const downloads = (sizes: readonly string[]): string[] => sizes.map((size) => `download-${size}`);
const small = ['1kb', '2kb', '5kb', '1mb', '2mb', '5mb', '10mb', '20mb'];
const large = ['50mb', '100mb', '200mb', '500mb', '1gb', '2gb'];
const common = {
  // The cloud storage of the study spoke TLS 1.2 over TCP.
  arms: ['h2+tls=1.2', 'h3'],
  // Curl's receive buffer for QUIC overflows at this rate (in all of 10 loads of 100 MB), which no path of ours may do.
  clients: ['quic-go'],
  networks: ['fiber-300'],
  probes: ['cpu-samples'],
  primary: { download: 'totalWithConnectMs' },
  published: [
    {
      ...shreedhar2022,
      experiment: 'files to 20 MB',
      metric: 'totalWithConnectMs',
      workloads: downloads(small),
      figure: 'QUIC faster',
      expects: 'better' as const,
      source: 'section VI',
    },
    {
      ...shreedhar2022,
      experiment: 'files above 20 MB',
      metric: 'totalWithConnectMs',
      workloads: downloads(large),
      figure: 'TCP faster',
      expects: 'worse' as const,
      source: 'section VI',
    },
    {
      ...shreedhar2022,
      experiment: 'CPU of the client, 200 MB, in samples of 500 ms',
      metric: 'cpuSampledPercent',
      workloads: downloads(['100mb', '200mb']),
      figure: 'about 90 % (QUIC) against 50 % (TCP)',
      expects: 'worse' as const,
      source: 'section VI',
    },
  ],
};
const scales = {
  quick: { ...common, workloads: downloads(['5kb', '1mb', '20mb', '100mb']), repetitions: 10 },
  standard: {
    ...common,
    workloads: downloads(['5kb', '1mb', '10mb', '20mb', '50mb', '100mb', '200mb']),
    repetitions: 12,
  },
  paper: { ...common, workloads: downloads([...small, ...large]), repetitions: 20 },
};

/** Section VI. */
export const shreedharFilesPreset: Preset = {
  id: 'shreedhar2022-files',
  title: 'Files of 1 KB to 2 GB, time with the handshake, CPU (Shreedhar et al. 2022)',
  plan: scales.quick,
  scales,
};
