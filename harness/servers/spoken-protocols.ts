import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { isIP } from 'node:net';
import { packetAnswered, quicAnswers } from './origin-probe.ts';
import { quicInitial } from './quic-initial.ts';

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
export function noH2Reason({ host, port, url }: SpokenPlace): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { host, port, ALPNProtocols: ['h2'], rejectUnauthorized: false, timeout: answerLimitMs };
    const name = nameOf(url);
    const socket = connect({ ...options, ...(name === null ? {} : { servername: name }) });
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

/** Why a place speaks no HTTP/3, or null: nothing answers a packet of an unknown version, nor one that begins a connection. */
export async function noH3Reason(
  { host, port, url }: SpokenPlace,
  patienceMs = quicPatienceMs,
): Promise<string | null> {
  const deadlineMs = performance.now() + patienceMs;
  const address = host === 'localhost' ? '127.0.0.1' : host;
  do {
    // Some servers and firewalls let packets of unknown versions drop, and answer who begins a connection.
    if ((await quicAnswers(address, port)) || (await initialAnswered(address, port, nameOf(url))))
      return null;
    await sleep(pollMs);
  } while (performance.now() < deadlineMs);
  return `nothing answers QUIC at UDP port ${port} of ${url.hostname}`;
}

/** What TLS is asked for; null for an address, which has no place there (RFC 6066, section 3). */
function nameOf({ hostname }: URL): string | null {
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? hostname : null;
}

/** Whether anything is sent back to the connection that we begin: its long header names our id as its destination. */
function initialAnswered(address: string, port: number, name: string | null): Promise<boolean> {
  const { packet, connectionId } = quicInitial(name);
  return packetAnswered(address, port, packet, (answer) =>
    answer.subarray(6, 6 + connectionId.length).equals(connectionId),
  );
}
