import { acknowledgements } from './acknowledgements.ts';
import { activity } from './activity.ts';
import { capture } from './capture.ts';
import { contextSwitches } from './context-switches.ts';
import { cpu } from './cpu.ts';
import { cpuSamples } from './cpu-samples.ts';
import { firefoxLog } from './firefox-log.ts';
import { firefoxProfile } from './firefox-profile.ts';
import { frames } from './frames.ts';
import { har } from './har.ts';
import { kernel } from './kernel.ts';
import { lighthouse } from './lighthouse.ts';
import { netLog } from './net-log.ts';
import { packets } from './packets.ts';
import { profile } from './profile.ts';
import { qlog } from './qlog.ts';
import type { Probe } from './probe.ts';
import { sockets } from './sockets.ts';
import { syscallTimes } from './syscall-times.ts';
import { trace } from './trace.ts';
import { transport } from './transport.ts';

/** Every probe. They start in this order and stop in the other: what is cheapest stands last, next to what is measured. */
export const probes: readonly Probe[] = [
  har,
  frames,
  lighthouse,
  netLog,
  trace,
  firefoxLog,
  firefoxProfile,
  capture,
  acknowledgements,
  kernel,
  syscallTimes,
  profile,
  transport,
  qlog,
  sockets,
  contextSwitches,
  activity,
  cpuSamples,
  packets,
  cpu,
];
