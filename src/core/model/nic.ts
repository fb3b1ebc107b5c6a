import { z } from 'zod';

/** How a machine sends to the other one of a run where a program sets nothing itself, as it was read; null where nothing tells. */
const sendingSchema = z.object({
  /** `net.ipv4.tcp_congestion_control`. */
  tcpCongestionControl: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .nullable(),
  /** TCP's initial window on the route; null: the kernel's own. */
  initialWindowPackets: z.number().nullable(),
  /** To which TCP's buffers may grow (`tcp_wmem`, `tcp_rmem`), and send buffers of UDP (`net.core.wmem_max`). */
  tcpSendBufferBytes: z.number().nullable(),
  tcpReceiveBufferBytes: z.number().nullable(),
  sendBufferBytes: z.number().nullable(),
  /** Whether TCP begins anew after idle time. */
  slowStartAfterIdle: z.enum(['on', 'off']).nullable(),
});
export type Sending = z.infer<typeof sendingSchema>;

/** For people: `TCP cubic, the kernel’s initial window, tcp_wmem 4194304, …`. */
export function sendingWords(sending: Sending): string {
  const { tcpCongestionControl, initialWindowPackets, slowStartAfterIdle } = sending;
  const named = [
    ['tcp_wmem', sending.tcpSendBufferBytes],
    ['tcp_rmem', sending.tcpReceiveBufferBytes],
    ['net.core.wmem_max', sending.sendBufferBytes],
  ] as const;
  return [
    `TCP ${tcpCongestionControl ?? 'with an unknown congestion control'}`,
    initialWindowPackets === null
      ? 'the kernel’s initial window'
      : `an initial window of ${initialWindowPackets} packets`,
    ...named.flatMap(([name, bytes]) => (bytes === null ? [] : [`${name} ${bytes}`])),
    ...(slowStartAfterIdle === null ? [] : [`slow start after idle ${slowStartAfterIdle}`]),
  ].join(', ');
}

/** What a machine has towards the other one of a run, as it was read; null where nothing tells. */
export const nicSchema = z.object({
  device: z.string().regex(/^[\w.@:-]{1,40}$/),
  mtuBytes: z.number().nullable(),
  speedMbps: z.number().nullable(),
  /** Queueing discipline (tc(8)). */
  queueing: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .nullable(),
  /** Segmentation offloads, by ethtool. */
  offloads: z.record(z.string().regex(/^[a-z-]{1,40}$/), z.boolean()).nullable(),
  /** To which receive buffers of UDP may grow (`net.core.rmem_max`). */
  receiveBufferBytes: z.number().nullable(),
  /** Absent in older runs. */
  sending: sendingSchema.optional(),
});
export type Nic = z.infer<typeof nicSchema>;

/** For people: `eth0, 1000 Mbit/s, MTU 1500, fq_codel, tso on, gso on`. */
export function nicWords({
  device,
  speedMbps,
  mtuBytes,
  queueing,
  offloads,
  receiveBufferBytes,
}: Nic): string {
  return [
    device,
    ...(speedMbps === null ? [] : [`${speedMbps} Mbit/s`]),
    ...(mtuBytes === null ? [] : [`MTU ${mtuBytes}`]),
    ...(queueing === null ? [] : [queueing]),
    ...(offloads === null
      ? ['offloads unknown without ethtool']
      : Object.entries(offloads).map(([name, on]) => `${name} ${on ? 'on' : 'off'}`)),
    ...(receiveBufferBytes === null ? [] : [`net.core.rmem_max ${receiveBufferBytes}`]),
  ].join(', ');
}
