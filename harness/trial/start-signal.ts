import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { TrialOrder } from './worker-protocol.ts';

export interface StartSignal {
  /** Tells the path that navigation begins now. */
  send(): void;
  close(): void;
}

/**
 * Opens the path's socket beforehand, so that at navigation start one line need only be written.
 * @throws Error when nothing listens there.
 */
export async function openStartSignal(signal: TrialOrder['startSignal']): Promise<StartSignal> {
  if (signal === null) return { send: () => undefined, close: () => undefined };
  const socket = createConnection(signal.socketPath);
  await once(socket, 'connect');
  // The other end may close after the line; the trial does not depend on it any more.
  socket.on('error', () => undefined);
  return {
    send: () => void socket.write(`${signal.line}\n`),
    close: () => void socket.destroy(),
  };
}
