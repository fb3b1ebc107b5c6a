export const shreedhar2022 = {
  study:
    'Shreedhar et al., Evaluating QUIC Performance over Web, Cloud Storage and Video Workloads, TNSM 2022',
  /** Where its web and file tests ran. */
  machine:
    'a virtual machine at a university (1 Gbit/s) and Raspberry Pi 3 on residential lines in Munich (100 Mbit/s) and Bhubaneswar (20 Mbit/s); lsquic and libcurl',
} as const;
