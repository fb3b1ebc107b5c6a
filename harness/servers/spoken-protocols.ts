import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { quicAnswers } from './origin-probe.ts';

const pollMs = 50;
const answerLimitMs = 5_000;
/** A server that has answered over TCP opens its UDP socket at the same time, or soon after; and a packet may be lost. */
const quicPatienceMs = 5_000;

/** Where protocols are tried. */
export interface SpokenPlace {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
}

const noH2 = 'TLS agrees on no h2 (ALPN)';

/** Why a place speaks no HTTP/2, or null: what the handshake agrees on when only that is offered (RFC 7301). */
export function whyNoH2({ host, port, url }: SpokenPlace): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { host, port, ALPNProtocols: ['h2'], rejectUnauthorized: false, timeout: answerLimitMs };
    const name = /^[\d.]+$|:/.test(url.hostname) ? {} : { servername: url.hostname };
    const socket = connect({ ...options, ...name });
    const end = (why: string | null): void => {
      socket.destroy();
      resolve(why);
    };
    socket
      .once('secureConnect', () => end(socket.alpnProtocol === 'h2' ? null : noH2))
      .once('timeout', () => end('no TLS handshake'))
      .once('error', (cause: NodeJS.ErrnoException) =>
        end(cause.code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL' ? noH2 : cause.message.trim()),
      );
  });
}

/** Why a place speaks no HTTP/3, or null: nothing answers a QUIC packet. */
export async function whyNoH3(
  { host, port, url }: SpokenPlace,
  patienceMs = quicPatienceMs,
): Promise<string | null> {
  const deadlineMs = performance.now() + patienceMs;
  const address = host === 'localhost' ? '127.0.0.1' : host;
  do {
    if (await quicAnswers(address, port)) return null;
    await sleep(pollMs);
  } while (performance.now() < deadlineMs);
  return `nothing answers QUIC at UDP port ${port} of ${url.hostname}`;
}
