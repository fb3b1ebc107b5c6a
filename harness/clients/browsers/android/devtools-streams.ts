import { PassThrough, Writable } from 'node:stream';

/** The two pipes that a browser on this machine would have, made of a WebSocket. */
export interface DevtoolsStreams {
  readonly write: Writable;
  readonly read: PassThrough;
  /** Resolves when the other side has gone. */
  readonly ended: Promise<string>;
  close(): void;
}

/** Opens a debugging address. @throws Error when nothing answers there */
export async function openDevtools(url: string): Promise<DevtoolsStreams> {
  const socket = new WebSocket(url);
  const read = new PassThrough();
  const ended = new Promise<string>((resolve) => {
    socket.addEventListener('close', () => {
      read.destroy();
      resolve('its debugging connection was closed');
    });
  });
  socket.addEventListener('message', ({ data }) => read.write(`${String(data)}\0`));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`nothing answers at ${url}`)));
  });
  let rest = '';
  const write = new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, _encoding, done) {
      const messages = (rest + chunk.toString()).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) socket.send(message);
      done();
    },
  });
  return { write, read, ended, close: () => socket.close() };
}
