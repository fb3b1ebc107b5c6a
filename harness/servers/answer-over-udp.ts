import { createSocket } from 'node:dgram';
import { afterEvents } from '../../src/core/system/after-events.ts';

/** How long a packet is given, and what its answer is. */
export interface UdpAsk<Answer> {
  readonly packet: Buffer;
  readonly limitMs: number;
  /** Undefined where a datagram is no answer, and the next is waited for. */
  readonly read: (datagram: Buffer) => Answer | undefined;
}

/** What a place answers to one packet; undefined where nothing comes in time, or nothing listens. */
export function answerOverUdp<Answer>(
  address: string,
  port: number,
  { packet, limitMs, read }: UdpAsk<Answer>,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    const end = (answer: Answer | undefined): void => {
      forget();
      socket.removeAllListeners().close();
      resolve(answer);
    };
    const forget = afterEvents(limitMs, () => end(undefined));
    socket.on('message', (datagram) => {
      const answer = read(datagram);
      if (answer !== undefined) end(answer);
    });
    socket.once('error', () => end(undefined));
    // Connected, so that a closed port is an error at once instead of silence.
    socket.connect(port, address, () => socket.send(packet));
  });
}
